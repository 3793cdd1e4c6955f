import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** Not modal: the modal kind locks scrolling with a style element, which the page's policy forbids. */
export function Menu({
  trigger,
  side = 'bottom',
  onClosed,
  children,
}: {
  trigger: ReactNode
  side?: 'top' | 'bottom'
  /** Focus goes back to the trigger, unless this prevents it and gives it elsewhere. */
  onClosed?: (event: Event) => void
  children: ReactNode
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          {...(onClosed ? { onCloseAutoFocus: onClosed } : {})}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) w-60 animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({
  onSelect,
  isChosen,
  isDangerous = false,
  children,
}: {
  onSelect: () => void
  /** Given where the menu is a choice. */
  isChosen?: boolean
  isDangerous?: boolean
  children: ReactNode
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      {...(isChosen === undefined ? {} : { role: 'menuitemradio', 'aria-checked': isChosen })}
      className={`flex h-9 pointer-coarse:h-11 cursor-pointer items-center gap-2.5 rounded-control px-2.5 outline-none select-none data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 ${isDangerous ? 'text-danger' : '[&_svg]:text-soft'}`}
    >
      {children}
      {isChosen && <Check aria-hidden className="ml-auto" />}
    </DropdownMenu.Item>
  )
}

export function MenuHead({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 py-1.5 text-xs font-medium text-soft">{children}</DropdownMenu.Label>
}
