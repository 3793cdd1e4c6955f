import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { FromEnvironment, type Sample, sampleOf } from '../../server/src/docs/sample.ts'
import { type Language, snippetsOf } from '../../server/src/docs/snippets.ts'
import { callableEndpoints } from '../generate/methods.ts'

const run = promisify(execFile)

/** Every example of the reference, in one program a language; answers the status that each call got. */
export async function runSnippets(language: Language, folder: string, env: NodeJS.ProcessEnv) {
  const snippets = callableEndpoints().map(([name, endpoint]) => ({ name, text: snippetsOf(name, endpoint)[language] }))
  const { file, command, program } = programs[language]
  await writeFile(join(folder, file), program(snippets))
  const { stdout } = await run(command, [file], { cwd: folder, env: { ...strangers(), ...env }, maxBuffer: 2 ** 26 })
  return new Map(
    [...stdout.matchAll(/^status (\w+) (\d+)(.*)$/gm)].map(([, name = '', status, words = '']) => [
      name,
      { status: Number(status), words },
    ]),
  )
}

/** An id for everything that an example may name, of things that are not there. */
function strangers(): Record<string, string> {
  const names = callableEndpoints().flatMap(
    ([name, endpoint]) => snippetsOf(name, endpoint).curl.match(/[A-Z_]+_ID\b/g) ?? [],
  )
  return Object.fromEntries(names.map((name) => [name, randomUUID()]))
}

/** Whether an example's body has the form that the contract asks for: what is refused then is refused for its state. */
export function isWellFormed(name: string): boolean {
  const [, endpoint] = callableEndpoints().find(([each]) => each === name) ?? []
  return endpoint?.body === undefined || Value.Check(endpoint.body, withIds(sampleOf(endpoint.body)))
}

function withIds(sample: Sample): unknown {
  if (sample instanceof FromEnvironment) return '0198c0de-0000-7000-8000-000000000001'
  if (Array.isArray(sample)) return sample.map(withIds)
  if (typeof sample !== 'object' || sample === null) return sample
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, withIds(value)]))
}

interface Snippet {
  name: string
  text: string
}

const programs: Record<Language, { file: string; command: string; program: (snippets: Snippet[]) => string }> = {
  curl: {
    file: 'snippets.sh',
    command: 'bash',
    program: (snippets) =>
      snippets
        .map(({ name, text }) => text.replace(/^curl/, `curl -s -m 2 -o /dev/null -w 'status ${name} %{http_code}\\n'`))
        .map((text) => `${text} || true`)
        .join('\n'),
  },
  TypeScript: {
    file: 'snippets.ts',
    command: process.execPath,
    program: (snippets) =>
      [
        "import { openAsBlob } from 'node:fs'",
        "import { Keystall } from '@keystall/client'",
        ...snippets.map(({ name, text }) => {
          const body = text.replaceAll(/^import .*$/gm, '').replace(/^console\.log\(.*\)$/m, 'return answer')
          return `await (async () => {\n${body}\n})().then(
            () => console.log('status ${name} 200'),
            (error) => console.log('status ${name}', error.status, error.message),
          )`
        }),
        'process.exit()',
      ].join('\n'),
  },
  Python: {
    file: 'snippets.py',
    command: 'python3',
    program: (snippets) =>
      snippets
        .map(
          ({ name, text }) => `import urllib.error
try:
${text.replaceAll(/^(?=.)/gm, '    ').replace(/print\(.*\)$/, 'pass')}
    print("status ${name} 200")
except urllib.error.HTTPError as error:
    print("status ${name}", error.code, error.read().decode())
`,
        )
        .join('\n'),
  },
}
