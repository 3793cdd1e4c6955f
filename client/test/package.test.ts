import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { root } from './running.ts'

const run = promisify(execFile)

test('the package holds its code and nothing else, needs nothing, and compiles in a strict project of its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keystall-package-'))
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(root, 'client') })
    const [packed] = JSON.parse(stdout)
    const files: string[] = packed.files.map(({ path }: { path: string }) => path)
    assert.deepEqual(
      files.filter((path) => !/^dist\/[a-z]+\.(js|d\.ts)$/.test(path)),
      ['LICENSE', 'README.md', 'package.json'],
    )
    const manifest = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'))
    assert.deepEqual(
      [manifest.dependencies, manifest.peerDependencies, manifest.scripts],
      [undefined, undefined, undefined],
    )

    const home = join(folder, 'node_modules/@keystall/client')
    await mkdir(home, { recursive: true })
    await run('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1'])
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'program.ts'), program)
    const ways = [
      { module: 'nodenext' },
      { module: 'node16', moduleResolution: 'node16' },
      { module: 'esnext', moduleResolution: 'bundler' },
    ]
    for (const way of ways) {
      const settings = { compilerOptions: { ...compilerOptions, ...way }, files: ['program.ts'] }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
      await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) => {
        assert.fail(`${JSON.stringify(way)}: ${error.stdout}`)
      })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** What must compile, and, behind `@ts-expect-error`, what must not. */
const program = `
import { isFailure, Keystall, uploadFile, type Order, type ProductForm } from '@keystall/client'

const keystall = new Keystall({ baseUrl: 'https://api.example.com', apiKey: 'key' })
const form: ProductForm = { name: 'Game key', cost: 9.5, visibility: 0 }
const product = await keystall.createProduct({ storeId: 'a', body: form })
const cost: number = product.cost
const orders: Order[] = []
for await (const order of keystall.listOrders({ storeId: 'a', count: 100 })) orders.push(order)
const pages: number = (await keystall.listOrders({ storeId: 'a' })).pages
await uploadFile(keystall, { storeId: 'a', productId: product.id, file: new Blob(['x']), onProgress: ({ sentBytes }) => sentBytes })
try {
  await keystall.getUser()
} catch (error) {
  if (isFailure(error) && error.code === 'RateLimited') console.log(error.retryAfterSeconds, error.invalidFields)
  // @ts-expect-error there is no such code
  if (isFailure(error) && error.code === 'Nonsense') console.log(cost, pages)
}
// @ts-expect-error the body has no cost
await keystall.createProduct({ storeId: 'a', body: { name: 'Game key', visibility: 0 } })
// @ts-expect-error the store is missing
await keystall.listOrders({})
`
