import type { Annex } from '../tools/annex.ts'
import { expectMail, letTimePass, payWithTestMoney, placeOrder, until, untilOrderIs } from '../tools/telling.ts'

/** A buyer is asked for a review, once, and gets a link to the portal by mail for each wish. */
export async function buyerGetsMails(annex: Annex): Promise<void> {
  const emailAddress = 'reader@annex.example.com'
  const order = await placeOrder(annex, { gateway: 'test', emailAddress })
  await payWithTestMoney(annex, order)
  await untilOrderIs(annex, order, 'Delivered')
  await letTimePass(annex, { queue: 'ask-for-review', data: { orderId: order.id } })
  const wishes = await askForLink(annex, emailAddress)
  expectMail(annex, emailAddress, /^How was it\?/)
  expectMail(annex, emailAddress, /^Your link to/, wishes)
}

/** Answers how many wishes may have been heard: one whose answer was lost is asked again. */
async function askForLink({ line }: Annex, emailAddress: string): Promise<number> {
  const host = `annex.localhost:${line.address.port}`
  const headers = { origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ emailAddress }).toString()
  let heard = 0
  await until('a wish for a link', async () => {
    const answer = await line.ask({ method: 'POST', url: '/portal', host, headers, body }).catch((error: unknown) => {
      return Object(error).code === 'ECONNREFUSED' ? undefined : { status: 0 }
    })
    if (answer !== undefined && answer.status !== 503) heard += 1
    return answer?.status === 200
  })
  return heard
}
