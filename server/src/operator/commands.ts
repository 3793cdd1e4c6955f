import { parseArgs } from 'node:util'
import { type Scope, scopeNamed, scopeNames } from '@keystall/contract/scopes'
import { createUser, findUserByEmail } from '#account/account'
import type { UserRow } from '#account/tables'
import { createApp } from '#apps/app'
import type { Config } from '#config'
import { areStoresOf, issueKey } from '#keys/key'
import type { Tx } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { startPlatform, type Running } from '#start'
import { createDemo } from './demo.ts'
import { backUp } from './backup.ts'
import { examine } from './doctor.ts'
import { exportStore } from './export.ts'
import { importGoods } from './import-goods.ts'
import { importStore } from './import-store.ts'
import { listen } from './listen.ts'
import { CommandMistake } from './mistake.ts'
import { restore } from './restore.ts'
import { mendRollups } from './rollups.ts'
import { trigger } from './trigger.ts'

type Command = { usage: string; run: (running: Running, words: string[]) => Promise<object> }

const commands: Record<string, Command> = {
  'user create': {
    usage: 'user create --email E --username U --password P [--staff]',
    run: async ({ platform }, words) => {
      const { email, username, password, staff } = options(words, ['email', 'username', 'password'], ['staff'])
      const user = await transact(platform.db, (tx) =>
        createUser(tx, {
          emailAddress: need('email', email),
          userName: need('username', username),
          password: need('password', password),
          isStaff: staff === true,
          isConfirmed: true,
        }),
      )
      return { id: user.id }
    },
  },
  'app create': {
    usage: "app create --owner E --name N --redirect URL --scopes A,B ('*' for all)",
    run: async ({ platform }, words) => {
      const { owner, name, redirect, scopes } = options(words, ['owner', 'name', 'redirect', 'scopes'])
      const { app, clientSecret } = await transact(platform.db, async (tx) =>
        createApp(tx, await loadOwner(tx, need('owner', owner)), {
          name: need('name', name),
          redirectUrls: need('redirect', redirect).split(','),
          scopes: scopesOf(need('scopes', scopes)),
        }),
      )
      return { appId: app.id, clientSecret }
    },
  },
  'key create': {
    usage: "key create --owner E --scopes A,B ('*' for all) [--stores ID,ID]",
    run: async ({ platform }, words) => {
      const { owner, scopes, stores } = options(words, ['owner', 'scopes', 'stores'])
      const storeIds = typeof stores === 'string' ? stores.split(',') : null
      if (storeIds?.some((id) => !isUuid(id))) throw new CommandMistake('--stores takes the ids of stores')
      const { apiKey } = await transact(platform.db, async (tx) => {
        const user = await loadOwner(tx, need('owner', owner))
        if (storeIds && !(await areStoresOf(tx, user.id, storeIds))) {
          throw new CommandMistake(`--stores names a store that is not one of ${user.emailAddress}'s`)
        }
        const label = "Made by the operator's command"
        return issueKey(tx, platform, user, { label, scopes: scopesOf(need('scopes', scopes)), storeIds })
      })
      return { apiKey }
    },
  },
  demo: {
    usage: 'demo',
    run: ({ platform }, words) => {
      options(words, [])
      return createDemo(platform)
    },
  },
  migrate: {
    usage: 'migrate',
    run: async ({ migrated }, words) => {
      options(words, [])
      return { applied: migrated }
    },
  },
  doctor: {
    usage: 'doctor',
    run: (running, words) => {
      options(words, [])
      return examine(running)
    },
  },
  backup: {
    usage: 'backup FILE',
    run: (running, words) => backUp(running, need('FILE', parse(words, {}, 1).positionals[0])),
  },
  restore: {
    usage: 'restore FILE',
    run: (running, words) => restore(running, need('FILE', parse(words, {}, 1).positionals[0])),
  },
  rollups: {
    usage: 'rollups [--store ID]',
    run: (running, words) => {
      const { store } = options(words, ['store'])
      if (store !== undefined && !isUuid(String(store))) throw new CommandMistake('--store takes the id of a store')
      return mendRollups(running, store === undefined ? undefined : String(store))
    },
  },
  listen: {
    usage: 'listen [--store ID] --forward URL [--from NUMBER] [--count N]',
    run: (running, words) => {
      const { store, forward, from, count } = options(words, ['store', 'forward', 'from', 'count'])
      let isStopped = false
      process.once('SIGINT', () => {
        isStopped = true
      })
      return listen(running, {
        storeId: text(store),
        forwardUrl: need('forward', forward),
        from: wholeNumber('from', from),
        count: wholeNumber('count', count),
        isStopped: () => isStopped,
        print: (line) => console.error(line),
      })
    },
  },
  trigger: {
    usage: 'trigger EVENT [--store ID] [--forward URL]',
    run: (running, words) => {
      const { values, positionals } = parse(words, { store: { type: 'string' }, forward: { type: 'string' } }, 1)
      return trigger(running, {
        type: need('EVENT', positionals[0]),
        storeId: text(values['store']),
        forwardUrl: text(values['forward']),
      })
    },
  },
  import: {
    usage: 'import [--dry-run] --store ID FILE.csv; import --store-file FILE --owner E [--passphrase P]',
    run: async (running, words) => {
      const word = { type: 'string' } as const
      const known = {
        store: word,
        owner: word,
        'store-file': word,
        passphrase: word,
        'dry-run': { type: 'boolean' } as const,
      }
      const { values, positionals } = parse(words, known, 1)
      if (typeof values['store-file'] === 'string') {
        const owner = await transact(running.platform.db, (tx) => loadOwner(tx, need('owner', values['owner'])))
        return importStore(running, { file: values['store-file'], owner, passphrase: text(values['passphrase']) })
      }
      const isDry = values['dry-run'] === true
      return importGoods(running, {
        storeId: need('store', values['store']),
        file: need('FILE', positionals[0]),
        isDry,
      })
    },
  },
  export: {
    usage: 'export --store ID [--passphrase P] FILE',
    run: (running, words) => {
      const { values, positionals } = parse(words, { store: { type: 'string' }, passphrase: { type: 'string' } }, 1)
      return exportStore(running, {
        storeId: need('store', values['store']),
        file: need('FILE', positionals[0]),
        passphrase: text(values['passphrase']),
      })
    },
  },
}

export async function runCommand(config: Config, words: string[]): Promise<object> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) => Object.hasOwn(commands, candidate))
  const command = name === undefined ? undefined : commands[name]
  if (!command || name === undefined) {
    throw new CommandMistake(
      `Commands: ${Object.values(commands)
        .map(({ usage }) => usage)
        .join('; ')}`,
    )
  }
  const running = await startPlatform(config)
  try {
    return await command.run(running, words.slice(name.split(' ').length))
  } finally {
    await running.stop()
  }
}

type ParsedOptions = Record<string, { type: 'string' | 'boolean' }>
type Values = Record<string, unknown>

function parse(words: string[], options: ParsedOptions, wordsMax = 0): { values: Values; positionals: string[] } {
  const { values, positionals } = parsed(words, options)
  const stray = positionals[wordsMax]
  if (stray !== undefined) throw new CommandMistake(`${JSON.stringify(stray)} is not expected here`)
  return { values, positionals }
}

function parsed(words: string[], options: ParsedOptions): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    const [line = 'The options cannot be read'] = error instanceof Error ? error.message.split('\n') : []
    throw new CommandMistake(line)
  }
}

function options(words: string[], texts: string[], flags: string[] = []): Values {
  const known = Object.fromEntries([
    ...texts.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ])
  return parse(words, known).values
}

function need(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new CommandMistake(name === name.toUpperCase() ? `${name} is missing` : `--${name} is missing`)
  }
  return value
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value)
}

function wholeNumber(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(String(value))) throw new CommandMistake(`--${name} takes a whole number from 1`)
  return Number(value)
}

async function loadOwner(tx: Tx, emailAddress: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, emailAddress)
  if (!user) throw new CommandMistake(`Nobody has the e-mail address ${emailAddress}`)
  return user
}

function scopesOf(text: string): Scope[] {
  if (text === '*') return [...scopeNames]
  return text.split(',').map((name) => {
    const scope = scopeNamed(name.trim())
    if (!scope) throw new CommandMistake(`There is no scope ${name.trim()}; there are ${scopeNames.join(', ')}`)
    return scope
  })
}
