import { visibilities } from '@keystall/contract/shapes/product'
import type { Tx } from '#platform/db/database'
import { layout } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import { moveVisibility, selectSeller } from './hold-queries.ts'
import { raiseRevision } from './revision.ts'
import type { ProductRow } from './tables.ts'

type Named = Pick<ProductRow, 'storeId' | 'id'>

/** By the platform's staff: nobody sees or buys it, and its seller cannot lift it. */
export async function holdProduct(tx: Tx, platform: Platform, product: Named, reason: string): Promise<void> {
  const held = await moveVisibility(tx, product, { to: visibilities.onHold })
  if (!held) throw conflict('The product is on hold already')
  await raiseRevision(tx, product)
  await tellSeller(tx, platform, held, {
    title: `${held.name} is on hold`,
    words: 'The staff have put this product on hold: nobody can see or buy it until they release it.',
    reason,
  })
}

/** Private afterwards: its seller decides when it is shown again. */
export async function releaseProduct(tx: Tx, platform: Platform, product: Named, reason: string): Promise<void> {
  const released = await moveVisibility(tx, product, { from: visibilities.onHold, to: visibilities.private })
  if (!released) throw conflict('The product is not on hold')
  await raiseRevision(tx, product)
  await tellSeller(tx, platform, released, {
    title: `${released.name} is released`,
    words: 'The product is private now. Make it public again whenever you like.',
    reason,
  })
}

async function tellSeller(
  tx: Tx,
  { config }: Platform,
  { storeId }: ProductRow,
  { title, words, reason }: { title: string; words: string; reason: string },
): Promise<void> {
  const { emailAddress, storeName } = await selectSeller(tx, storeId)
  const footer = `You get this mail because ${storeName} is yours.\nSent by Keystall at ${config.dashUrl.host}.`
  const url = `${config.dashUrl.origin}/`
  const button = { label: 'Open the dashboard', url }
  await mailLater(tx, {
    to: emailAddress,
    subject: title,
    ...layout({ title, paragraphs: [words, reason], button, footer }),
  })
}
