import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { assert, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('what the short form breaks, holds', async () => {
  const { code, printed } = await new Promise<{ code: number; printed: string }>((resolve) => {
    execFile(process.execPath, ['faults/run.ts', '--short'], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    )
  })
  console.log(printed)
  assert.equal(code, 0, printed)
}, 420_000)
