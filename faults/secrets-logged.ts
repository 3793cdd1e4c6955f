import type { Endpoint } from '../contract/src/endpoint.ts'
import { endpoints } from '../contract/src/endpoints/index.ts'
import { dice } from '../server/test/dice.ts'
import { furnish, pathIn } from '../server/test/furnished.ts'
import { credentialsFor, endpointsInOrder, someOf, trialsOf } from '../server/test/hostile.ts'
import { askingFor } from '../server/test/line.ts'
import type { Case } from './tools/case.ts'
import { openHouse } from './tools/house.ts'

/** Everything is used once, well and badly, with the log at its most talkative; then nothing secret is in it. */
export const secretsLogged: Case = {
  name: 'secrets-logged',
  forms: ['whole'],
  async run() {
    const word = 'canarySecretWord'
    const mailPassword = 'canaryMailPassword'
    const house = await openHouse({
      LOG_LEVEL: 'trace',
      // Nobody answers there: the mailer complains of it.
      SMTP_URL: `smtp://mailer:${mailPassword}@127.0.0.1:9`,
      MAIL_PAGE: 'on',
      SLOW_QUERY_MS: '1',
    })
    try {
      const { line, seller, staff } = house
      const furnished = await furnish(line, seller, word)
      const attempt = 'canaryPassword 12345'
      let times = 0
      const ask = async (endpoint: Endpoint, input: Parameters<typeof askingFor>[2]) => {
        times += 1
        await line.ask(askingFor(line.address, endpoint, input, credentialsFor(endpoint, { seller, staff }, furnished)))
      }
      const body = (value: object) => ({ body: JSON.stringify(value) })
      await ask(endpoints.signIn, body({ emailAddress: `${word}@example.com`, password: attempt }))
      await ask(endpoints.signUp, body({ emailAddress: `${word}@example.com`, userName: 'canary', password: attempt }))
      await ask(endpoints.resetPassword, body({ token: `${word}token`, password: attempt }))
      await ask(endpoints.changePassword, body({ currentPassword: attempt, newPassword: `${attempt}6` }))
      await ask(endpoints.signInWithCode, body({ code: word }))
      await ask(endpoints.exchangeCode, {
        path: { appId: furnished.ids['appId'] ?? '', code: word },
        headers: { 'xoauth2-client-secret': `${word}secret` },
      })
      await ask(endpoints.viewOrder, {
        path: pathIn(furnished, endpoints.viewOrder),
        query: `key=${furnished.orderKey}`,
      })
      for (const one of endpointsInOrder()) {
        for (const { send } of someOf(trialsOf(line, one, { seller, staff }, { furnished }), 3, dice(7))) {
          times += 1
          await send(line).catch(() => {})
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      const printed = house.product.printed()
      const secrets = [
        ...furnished.secrets,
        attempt,
        mailPassword,
        seller.apiKey,
        sessionOf(seller.cookie),
        sessionOf(staff.cookie),
      ]
      const found = secrets.flatMap((secret) => {
        const at = printed.toLowerCase().indexOf(secret.toLowerCase())
        return at === -1 ? [] : [`…${printed.slice(Math.max(0, at - 150), at + 60)}…`]
      })
      const lines = printed.split('\n').length
      return [
        {
          fault: 'secrets in the log',
          times,
          verdict: found.length === 0 && lines > times ? 'holds' : 'FAILS',
          notes: [`${lines} lines for ${times} requests, ${secrets.length} secrets looked for`, ...found],
        },
      ]
    } finally {
      await house.close()
    }
  },
}

function sessionOf(cookie: string): string {
  return /keystall_session=([^;]+)/.exec(cookie)?.[1] ?? cookie
}
