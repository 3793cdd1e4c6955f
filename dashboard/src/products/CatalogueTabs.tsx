import { Tabs } from '../ui/Tabs.tsx'

export function CatalogueTabs() {
  return (
    <Tabs
      label="Catalogue"
      tabs={[
        { to: '/stores/$storeId/products', label: 'Products' },
        { to: '/stores/$storeId/product-groups', label: 'Groups' },
      ]}
    />
  )
}
