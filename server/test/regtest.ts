import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Address, OutScript } from '@scure/btc-signer'
import { type Coin, type FullNode, loadBcoin, type Tx } from './bcoin.ts'

/** Blocks of which the reward can be spent, and a few more. */
const firstBlocks = 140
const networks = [
  { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
]

interface Paid {
  txid: string
  tx: Tx
  coin: Coin
  address: string
  sats: number
}

/**
 * A real node on a chain of its own, where blocks are mined at will: its JSON-RPC as Bitcoin Core words it, and an
 * Esplora-compatible server in front of the same node.
 */
export async function aRegtest({ rpcPort = 0 } = {}) {
  const bcoin = loadBcoin()
  const quiet = { workers: false, listen: false, logLevel: 'none', httpPort: 0 }
  const node = new bcoin.FullNode({ network: 'regtest', memory: true, ...quiet })
  await node.ensure()
  await node.open()
  await node.connect()
  const ring = bcoin.KeyRing.generate()
  const state = { isAway: false, blocksBehind: 0 }
  const coins: Coin[] = []

  async function mine(count = 1, from = node.chain.tip): Promise<void> {
    let tip = from
    for (let made = 0; made < count; made += 1) {
      tip = await node.chain.add(await node.miner.mineBlock(tip, ring.getAddress()))
    }
  }

  await mine(firstBlocks)
  for (let height = 1; height <= firstBlocks - 100; height += 1) {
    const [reward] = (await node.getBlock(height)).txs
    if (reward) coins.push(bcoin.Coin.fromTX(reward, 0, height))
  }

  function transaction(coin: Coin, address: string, sats: number, fee: number): Tx {
    const mtx = new bcoin.MTX()
    mtx.addCoin(coin)
    mtx.addOutput({ script: bcoin.Script.fromRaw(scriptOf(address)), value: sats })
    mtx.addOutput({ address: ring.getAddress(), value: coin.value - sats - fee })
    mtx.sign(ring)
    return mtx.toTX()
  }

  /** Sent, and waiting for a block. */
  async function pay(address: string, amount: number, given: { coin?: Coin; fee?: number } = {}): Promise<Paid> {
    const { coin = coins.shift(), fee = 1000 } = given
    if (!coin) throw new Error('all coins are spent')
    const sats = Math.round(amount * 1e8)
    const tx = transaction(coin, address, sats, fee)
    await node.mempool.addTX(tx)
    return { txid: tx.txid(), tx, coin, address, sats }
  }

  /** Dropped by the node, as if it had never come. */
  function drop({ tx }: Paid): void {
    const entry = [...node.mempool.map.values()].find((each) => each.tx.txid() === tx.txid())
    if (entry) node.mempool.evictEntry(entry)
  }

  /** This node keeps what came first: what a miner with other rules does is dropping one and taking the other. */
  function replace(paid: Paid, { address = paid.address } = {}): Promise<Paid> {
    drop(paid)
    return pay(address, paid.sats / 1e8, { coin: paid.coin, fee: 5000 })
  }

  /** The payee moves it on, in a block. So young a chain asks no signature for such an output. */
  async function spend({ tx }: Paid): Promise<void> {
    const mtx = new bcoin.MTX()
    mtx.addCoin(bcoin.Coin.fromTX(tx, 0, node.chain.height))
    mtx.addOutput({ address: ring.getAddress(), value: 5000 })
    const job = await node.miner.createJob(node.chain.tip, ring.getAddress())
    job.pushTX(mtx.toTX())
    job.refresh()
    await node.chain.add(await job.mineAsync())
  }

  /** Whether the words of a wallet, at this path, make a signature that every node takes. */
  function isSpentBy(words: string, path: string, { tx }: Paid): boolean {
    const key = bcoin.HDPrivateKey.fromMnemonic(bcoin.Mnemonic.fromPhrase(words)).derivePath(path)
    const own = bcoin.KeyRing.fromPrivate(key.privateKey)
    own.witness = true
    const mtx = new bcoin.MTX()
    mtx.addCoin(bcoin.Coin.fromTX(tx, 0, -1))
    mtx.addOutput({ address: ring.getAddress(), value: 5000 })
    return mtx.sign(own) === 1 && mtx.verify()
  }

  /** Another branch grows longer than the last so many blocks. What was in those waits again. */
  async function reorganise(depth: number): Promise<void> {
    const top = node.chain.height
    const heights = Array.from({ length: depth }, (_, index) => top - index)
    const left = (await Promise.all(heights.map((height) => node.getBlock(height)))).flatMap(({ txs }) => txs.slice(1))
    await mine(depth + 1, await node.chain.getEntry(top - depth))
    // With nothing else waiting this node forgets them, until their senders tell it again.
    for (const tx of left.reverse()) await node.mempool.addTX(tx)
  }

  const rpc = createServer((request, response) => {
    void textOf(request).then(async (body) => {
      if (state.isAway) return request.socket.destroy()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(await answerRpc(node, JSON.parse(body), state.blocksBehind)))
    })
  })
  const esplora = createServer((request, response) => {
    if (state.isAway) return request.socket.destroy()
    void answerEsplora(node, request.url ?? '', state.blocksBehind).then((answer) => {
      response.statusCode = answer === undefined ? 404 : 200
      response.end(answer === undefined ? 'not found' : JSON.stringify(answer))
    })
  })
  const [nodeUrl, esploraUrl] = await Promise.all([
    listening(rpc, { port: rpcPort, credentials: 'user:pass@' }),
    listening(esplora),
  ])
  return {
    ...{ nodeUrl, esploraUrl, state, node, mine, pay, drop, replace, spend, isSpentBy, reorganise },
    async stop() {
      rpc.close()
      esplora.close()
      await node.close()
    },
  }
}

async function listening(server: Server, { port = 0, credentials = '' } = {}): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return `http://${credentials}127.0.0.1:${Object(server.address()).port}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The same script whatever prefix an address has. */
function scriptOf(address: string): Buffer {
  const network = networks.find(({ bech32 }) => address.startsWith(`${bech32}1`)) ?? networks[0]
  return Buffer.from(OutScript.encode(Address(network).decode(address)))
}

type Call = { id: number; method: string; params: unknown[] }

/** Only in how blocks are asked for with their transactions does this node differ from Bitcoin Core. */
function answerRpc(node: FullNode, calls: Call[], blocksBehind: number) {
  return Promise.all(
    calls.map(async ({ id, method, params }) => {
      if (method === 'getblockcount') return { id, result: node.chain.height - blocksBehind, error: null }
      const isBlock = method === 'getblock' && params[1] === 2
      try {
        const result = await node.rpc.execute({ method, params: isBlock ? [params[0], true, true] : params })
        return { id, result, error: null }
      } catch (error) {
        return { id, result: null, error: { code: -5, message: Object(error).message } }
      }
    }),
  )
}

async function answerEsplora(node: FullNode, path: string, blocksBehind: number): Promise<unknown> {
  const [, kind, name = '', what] = path.split('/')
  if (path === '/blocks/tip/height') return node.chain.height - blocksBehind
  const all = await transactionsOf(node)
  const known = all.find(({ txid }) => txid === name)
  // As such servers do, also of what they have never heard of.
  if (kind === 'tx' && what === 'status') return known?.status ?? { confirmed: false }
  if (kind === 'tx') return known
  if (kind !== 'address') return undefined
  const script = scriptOf(name).toString('hex')
  return all.filter(({ vout }) => vout.some(({ scriptpubkey }) => scriptpubkey === script))
}

/** All that pay anybody but the miner, the newest first. */
async function transactionsOf(node: FullNode) {
  const waiting = [...node.mempool.map.values()].map(({ tx }) => shown(tx, { confirmed: false }))
  const inBlocks = []
  for (let height = node.chain.height; height > firstBlocks; height -= 1) {
    const { txs, time } = await node.getBlock(height)
    const status = { confirmed: true, block_height: height, block_time: time }
    for (const tx of txs) inBlocks.push(shown(tx, status))
  }
  return [...waiting, ...inBlocks]
}

function shown(tx: Tx, status: object) {
  return {
    txid: tx.txid(),
    vin: tx.inputs.map(({ prevout }) => ({ txid: prevout.txid(), vout: prevout.index })),
    vout: tx.outputs.map(({ value, script }) => ({ scriptpubkey: script.toRaw().toString('hex'), value })),
    status,
  }
}
