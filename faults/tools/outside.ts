import { startHardhat } from '../../server/test/hardhat-server.ts'
import { aRegtest } from '../../server/test/regtest.ts'
import { startStripe } from '../../server/test/stripe-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Smtp, startSmtp } from './smtp.ts'

/** All that a shop with every way to pay talks to: a card processor, two chains, a mail server, and a receiver of its own. */
export interface Outside {
  stripe: Awaited<ReturnType<typeof startStripe>>
  /** Bitcoin, and litecoin by another prefix. */
  coins: Awaited<ReturnType<typeof aRegtest>>
  ethereum: Awaited<ReturnType<typeof startHardhat>>
  receiver: Receiver
  smtp: Smtp
  /** What tells a server of them. */
  env: Record<string, string>
  close(): Promise<void>
}

export async function openOutside(): Promise<Outside> {
  const [stripe, coins, ethereum, receiver, smtp] = await Promise.all([
    startStripe(),
    aRegtest(),
    startHardhat(),
    startReceiver(),
    startSmtp(),
  ])
  const env = {
    STRIPE_URL: stripe.url,
    BITCOIN_NODE_URL: coins.nodeUrl,
    BITCOIN_NETWORK: 'regtest',
    LITECOIN_ESPLORA_URL: coins.esploraUrl,
    LITECOIN_NETWORK: 'regtest',
    ETHEREUM_URL: ethereum.url,
    ETHEREUM_CHAIN_ID: '31337',
    USDC_CONTRACT: ethereum.contract,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=off`,
    RATES: 'BTC-USD=60000,LTC-USD=80,ETH-USD=2000,USDC-USD=1',
  }
  async function close(): Promise<void> {
    stripe.close()
    receiver.close()
    await Promise.all([coins.stop(), ethereum.stop(), smtp.leave()])
  }
  return { stripe, coins, ethereum, receiver, smtp, env, close }
}
