import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clientSource } from './methods.ts'

const client = fileURLToPath(new URL('..', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const settings = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
}

/** Writes the package's code: what is written by hand beside what is printed from the contract, as plain JavaScript. */
export async function buildClient(outDir: string): Promise<void> {
  const sources = `${outDir}.sources`
  try {
    await cp(join(client, 'src'), sources, { recursive: true })
    await writeFile(join(sources, 'keystall.ts'), clientSource())
    await writeFile(
      join(sources, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...settings, rootDir: '.', outDir }, files: ['keystall.ts'] }),
    )
    await mkdir(outDir, { recursive: true })
    await promisify(execFile)(process.execPath, [compiler, '-p', sources]).catch((error: unknown) => {
      throw new Error(`The client does not compile:\n${Object(error)['stdout']}`)
    })
    await nameJavaScript(outDir)
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
}

/** The compiler leaves the imports of declarations as they are, but only JavaScript is published. */
async function nameJavaScript(outDir: string): Promise<void> {
  const declarations = (await readdir(outDir)).filter((name) => name.endsWith('.d.ts'))
  for (const file of declarations.map((name) => join(outDir, name))) {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}
