import type { LinkProps } from '@tanstack/react-router'
import { Blocks, Cable, House, KeyRound, type LucideIcon } from 'lucide-react'

interface Section {
  title?: string
  links: readonly { to: NonNullable<LinkProps['to']>; label: string; shortLabel?: string; icon: LucideIcon }[]
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
