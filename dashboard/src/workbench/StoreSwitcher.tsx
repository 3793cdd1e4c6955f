import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ChevronsUpDown, Plus, Store } from 'lucide-react'
import { useState } from 'react'
import { accountQuery } from '../account/account.ts'
import { chooseStore, useChosenStore } from '../stores/chosen-store.ts'
import { OpenStore } from '../stores/OpenStore.tsx'
import { Menu, MenuHead, MenuItem } from '../ui/Menu.tsx'
import { Monogram } from '../ui/Monogram.tsx'

export function StoreSwitcher() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const chosen = useChosenStore(account.stores)
  const router = useRouter()
  const [isOpening, setIsOpening] = useState(false)
  const face = (
    <>
      {chosen ? (
        <Monogram name={chosen.name} />
      ) : (
        <span className="grid size-7 shrink-0 place-items-center rounded-control bg-sunken text-soft">
          <Store aria-hidden className="size-4" />
        </span>
      )}
      <span className="min-w-0 flex-1 truncate text-left font-semibold">{chosen?.name ?? 'No store yet'}</span>
    </>
  )
  if (account.stores.length === 0) return <div className="flex h-11 items-center gap-2.5 px-2">{face}</div>
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="flex h-11 w-full items-center gap-2.5 rounded-control px-2 transition-colors hover:bg-sunken data-[state=open]:bg-sunken"
          >
            {face}
            <span className="sr-only">Switch store</span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-soft" />
          </button>
        }
      >
        <MenuHead>Your stores</MenuHead>
        {account.stores.map((store) => (
          <MenuItem
            key={store.id}
            isChosen={store.id === chosen?.id}
            onSelect={() => {
              chooseStore(store.id)
              router.history.push(sameSection(router.state.location.pathname, store.id))
            }}
          >
            <Monogram name={store.name} />
            <span className="min-w-0 flex-1 truncate">{store.name}</span>
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setIsOpening(true)}>
          <Plus aria-hidden />
          Open a store
        </MenuItem>
      </Menu>
      {isOpening && <OpenStore onClose={() => setIsOpening(false)} />}
    </>
  )
}

/** From a list of one store to the same list of the other; from anywhere else to its home. */
function sameSection(path: string, storeId: string): string {
  const section = /^\/stores\/[^/]+\/([^/]+)/.exec(path)?.[1]
  return section === undefined ? '/' : `/stores/${storeId}/${section}`
}
