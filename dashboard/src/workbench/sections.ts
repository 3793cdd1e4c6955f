import type { Scope } from '@keystall/contract/scopes'
import type { LinkProps } from '@tanstack/react-router'
import { Blocks, Cable, House, KeyRound, type LucideIcon } from 'lucide-react'

interface SectionLink {
  to: NonNullable<LinkProps['to']>
  label: string
  shortLabel?: string
  icon: LucideIcon
  /** Shown only to whom this is given in the chosen store. */
  needs?: Scope
}

interface Section {
  title?: string
  isForStaff?: true
  links: readonly SectionLink[]
}

/** What the rail and the bottom bar offer, in order. A resource with pages of its own adds its line here. */
export const sections: readonly Section[] = [
  { links: [{ to: '/', label: 'Home', icon: House }] },
  {
    title: 'Developers',
    links: [
      { to: '/apps', label: 'Apps', icon: Blocks },
      { to: '/keys', label: 'Keys', icon: KeyRound },
      { to: '/connected-apps', label: 'Connected apps', shortLabel: 'Connected', icon: Cable },
    ],
  },
]
