import { unsubscribeLink } from '#customers/unsubscribe'
import { speechOfOrder } from '#orders/order-language'
import { orderPage } from '#orders/order-page'
import type { Tx } from '#platform/db/database'
import { isMailAddress } from '#platform/mail/address'
import { layout } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { Platform } from '#platform/platform'
import { insertReviewRequest, selectAskable } from './queries.ts'

/** Once an order, and only while there is something to review and the buyer minds no mail. */
export async function askForReview(
  tx: Tx,
  { config, secrets }: Pick<Platform, 'config' | 'secrets'>,
  named: { storeId: string; orderId: string },
): Promise<void> {
  const askable = await selectAskable(tx, named)
  if (!askable || !isMailAddress(askable.emailAddress)) return
  if (!(await insertReviewRequest(tx, named))) return
  const { storeId, url, activeDomain, productNames, customerId } = askable
  const speech = speechOfOrder(askable)
  const { say, language } = speech
  const store = askable.storeName.replace(/\s+/g, ' ')
  const shop = { url, activeDomain }
  const link = unsubscribeLink(config, secrets, shop, { storeId, id: customerId })
  await mailLater(tx, {
    to: askable.emailAddress,
    subject: say('mailReviewSubject', { store }),
    unsubscribeUrl: link,
    ...layout({
      language,
      title: say('mailReviewTitle'),
      paragraphs: [say('mailReviewText', { products: speech.list(productNames), store })],
      button: {
        label: say('mailReviewButton'),
        url: `${orderPage(config, shop, { id: named.orderId, key: askable.key })}#review`,
      },
      footer: say('mailReviewFooter', { store, link }),
      sender: store,
    }),
  })
}
