import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { root, useKeystall } from './running.ts'

const running = useKeystall()

test("the README's script is the example, has under 25 lines, and makes a first sale", async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, script = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
  assert.equal(script, await readFile(join(root, 'examples/first-order.js'), 'utf8'))
  assert.ok(script.split('\n').length < 25)

  const env = { ...process.env, API_URL: running.baseUrl, KEYSTALL_KEY: running.apiKey }
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/first-order.js'], { cwd: root, env })
  assert.match(stdout, /^Delivered: AAAA-1111\nThe buyer's page: http/)
})
