import type { StaffProduct } from '@keystall/contract/shapes/staff'
import { visibilities } from '@keystall/contract/shapes/product'
import { useParams } from '@tanstack/react-router'
import { Package } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { productPage, setHold } from './staff.ts'

const names = ['Public', 'Unlisted', 'Private', 'On hold']

export function StaffStorePage() {
  const { staffStoreId: storeId } = useParams({ from: '/workbench/staff/stores/$staffStoreId' })
  const [changing, setChanging] = useState<StaffProduct>()
  const isHeld = changing?.visibility === visibilities.onHold
  return (
    <Page
      title="Products of a store"
      words="A product on hold is seen and bought by nobody until it is released."
      back={{ to: '/staff/stores', label: 'All stores' }}
    >
      <PagedTable
        caption="Products"
        pageOf={productPage(storeId)}
        rowKey={(product) => product.id}
        columns={[
          {
            head: 'Product',
            isName: true,
            render: (product) => <span className="font-medium wrap-anywhere">{product.name}</span>,
          },
          {
            head: 'Visibility',
            render: (product) => (
              <span className="inline-flex flex-wrap gap-1">
                <Status kind={product.visibility === visibilities.onHold ? 'danger' : 'neutral'}>
                  {names[product.visibility]}
                </Status>
                {product.isDeleted && <Status kind="neutral">Deleted</Status>}
              </span>
            ),
          },
          { head: 'Price', align: 'end', render: (product) => formatMoney(product.cost, product.currency) },
          { head: 'Created', align: 'end', render: (product) => <RelativeTime at={product.dateCreated} /> },
          {
            head: 'Acts',
            isActs: true,
            render: (product) => {
              const act = product.visibility === visibilities.onHold ? 'Release' : 'Put on hold'
              return (
                <Button
                  shape={act === 'Release' ? 'quiet' : 'dangerQuiet'}
                  aria-label={`${act}: ${product.name}`}
                  onClick={() => setChanging(product)}
                >
                  {act}
                </Button>
              )
            },
          },
        ]}
        empty={<EmptyState icon={Package} title="No products" words="This store sells nothing yet." />}
      />
      {changing && (
        <ReasonDialog
          title={isHeld ? `Release ${changing.name}?` : `Put ${changing.name} on hold?`}
          act={isHeld ? 'Release product' : 'Put on hold'}
          isDangerous={!isHeld}
          send={(reason) => setHold({ storeId, productId: changing.id }, !isHeld, reason)}
          done={isHeld ? 'Product released' : 'Product on hold'}
          onClose={() => setChanging(undefined)}
        />
      )}
    </Page>
  )
}
