import type { ReactNode } from 'react'
import { Page } from '../ui/Page.tsx'
import { Tabs } from '../ui/Tabs.tsx'

/** The settings of a store, a page each. Whoever adds one adds its line here. */
export function SettingsFrame({ words, act, children }: { words: string; act?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Settings" words={words} act={act}>
      <Tabs
        label="Settings"
        tabs={[
          { to: '/stores/$storeId/settings', label: 'General', isExact: true },
          { to: '/stores/$storeId/settings/appearance', label: 'Appearance' },
          { to: '/stores/$storeId/settings/texts', label: 'Legal texts' },
          { to: '/stores/$storeId/settings/faq', label: 'FAQ' },
          { to: '/stores/$storeId/settings/domain', label: 'Domain' },
          { to: '/stores/$storeId/settings/webhooks', label: 'Webhooks' },
        ]}
      />
      {children}
    </Page>
  )
}
