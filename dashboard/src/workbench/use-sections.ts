import { useSuspenseQuery } from '@tanstack/react-query'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from '../stores/chosen-store.ts'
import { useRights } from '../stores/rights.ts'
import { type Section, sections } from './sections.ts'

/** What the person may open, and the store that it is about. */
export function useSections(): { sections: Section[]; storeId: string } {
  const { data: account } = useSuspenseQuery(accountQuery)
  const store = useChosenStore(account.stores)
  const may = useRights()
  return {
    storeId: store?.id ?? '',
    sections: sections
      .filter(({ isForStaff }) => !isForStaff || account.isStaff)
      .map((section) => ({
        ...section,
        links: section.links.filter(({ to, needs }) => (store || !to.includes('$storeId')) && (!needs || may(needs))),
      }))
      .filter(({ links }) => links.length > 0),
  }
}
