import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, UserCog } from 'lucide-react'
import { accountQuery, leave } from '../account/account.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'

export function AccountMenu() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const navigate = useNavigate()
  const { mutate: signOut } = useMutation({ mutationFn: leave })
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-control px-2 py-1.5 transition-colors hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <span className="flex min-w-0 flex-1 flex-col text-left">
            <span className="truncate font-medium">{account.userName}</span>
            <span className="truncate text-xs text-soft">{account.emailAddress}</span>
          </span>
          <span className="sr-only">Account menu</span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-soft" />
        </button>
      }
    >
      <MenuItem onSelect={() => void navigate({ to: '/account' })}>
        <UserCog aria-hidden />
        Account
      </MenuItem>
      <MenuItem onSelect={() => signOut()}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  )
}
