import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, assert, test } from 'vitest'
import { retire } from './retiring.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Says so once it listens to nobody, or to those it is told to. */
async function aProcess(does: string): Promise<ChildProcess> {
  const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ${does}; process.send('here')`
  const child = fork('-e', [code], { execArgv: [], stdio: 'ignore' })
  children.push(child)
  await once(child, 'message')
  return child
}

test('a process that is replaced goes when it is asked to', async () => {
  const child = await aProcess(`process.on('message', () => process.exit(7))`)
  await retire(child, { retireMs: 60_000, stopMs: 60_000 })
  assert.equal(child.exitCode, 7)
})

test('one that does not hear it is told as at a stop', async () => {
  const child = await aProcess(`process.on('SIGTERM', () => process.exit(8))`)
  await retire(child, { retireMs: 50, stopMs: 60_000 })
  assert.equal(child.exitCode, 8)
})

test('one that cannot be told, or be handed a connection, is waited for like any other', async () => {
  const child = await aProcess(`process.on('SIGTERM', () => process.exit(9)); process.on('disconnect', () => {})`)
  child.on('error', () => {})
  child.disconnect()
  const retired = retire(child, { retireMs: 50, stopMs: 60_000 })
  child.emit('error', new Error('a connection could not be handed over'))
  await retired
  assert.equal(child.exitCode, 9)
})

test('one that ignores that too, or is not running at all, is killed', async () => {
  const patience = { retireMs: 50, stopMs: 50 }
  const deaf = await aProcess('')
  const stopped = await aProcess('')
  stopped.kill('SIGSTOP')
  await Promise.all([retire(deaf, patience), retire(stopped, patience)])
  assert.deepEqual([deaf.signalCode, stopped.signalCode], ['SIGKILL', 'SIGKILL'])
})
