import { headerField, queryNames } from '@keystall/contract/calling'
import type { Endpoint } from '@keystall/contract/endpoint'
import { pathTokens } from '@keystall/contract/path'
import { FromEnvironment, type Sample, sampleOf } from './sample.ts'

export const languages = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]

/** One call of an endpoint as a whole program, with ids and keys from the environment. */
export function snippetsOf(name: string, endpoint: Endpoint): Record<Language, string> {
  const call = callOf(endpoint)
  return { curl: curl(call), TypeScript: typescript(name, call), Python: python(call) }
}

interface Call {
  endpoint: Endpoint
  path: Record<string, Sample>
  query: Record<string, Sample>
  headers: Record<string, Sample>
  body: Sample | undefined
}

function callOf(endpoint: Endpoint): Call {
  const tokens: Record<string, unknown> = pathTokens
  const { properties, required = [] } = Object(endpoint.query)
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, token = '']) => token)
  const isNeeded = (header: string) => endpoint.headers?.[header]?.isRequired === true || endpoint.access === 'order'
  return {
    endpoint,
    path: Object.fromEntries(names.map((token) => [token, sampleOf(tokens[token], token)])),
    query: Object.fromEntries(
      queryNames(endpoint)
        .filter((each) => required.includes(each))
        .map((each) => [each, sampleOf(properties[each], each)]),
    ),
    headers: Object.fromEntries(
      Object.keys(endpoint.headers ?? {})
        .filter(isNeeded)
        .map((header) => [header, new FromEnvironment(headerField(header))]),
    ),
    body: endpoint.body && sampleOf(endpoint.body),
  }
}

function isKeyed({ access }: Endpoint): boolean {
  return access !== 'public' && access !== 'order'
}

function curl({ endpoint, path, query, headers, body }: Call): string {
  const shell = (value: Sample) =>
    value instanceof FromEnvironment ? `$${value.name}` : encodeURIComponent(String(value))
  const lines = [
    `curl${endpoint.method === 'GET' ? '' : ` -X ${endpoint.method}`} "$API_URL${addressWith(endpoint, path, query, shell)}"`,
    ...(isKeyed(endpoint) ? ['-H "Authorization: Bearer $KEYSTALL_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${shell(value)}"`),
    ...(endpoint.upload ? [`-F ${endpoint.upload.part}=@${fileFor(endpoint)}`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${shellJson(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Inside single quotes nothing is expanded: a value from the environment ends and begins them again. */
function shellJson(value: Sample): string {
  return print(value, {
    environment: (name) => `"'"$${name}"'"`,
    scalar: (scalar) => JSON.stringify(scalar).replaceAll("'", `'\\''`),
    name: (field) => JSON.stringify(field),
  })
}

function typescript(name: string, { endpoint, path, query, headers, body }: Call): string {
  const fields = Object.entries({
    ...path,
    ...query,
    ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [headerField(header), value])),
    ...(body === undefined ? {} : { body }),
  }).map(([field, value]) => `${field}: ${typescriptValue(value)}`)
  if (endpoint.upload) fields.push(`${endpoint.upload.part}: await openAsBlob('${fileFor(endpoint)}')`)
  const oneLine = `{ ${fields.join(', ')} }`
  const input = fields.length === 0 ? '' : oneLine.length <= 72 ? oneLine : `{\n  ${fields.join(',\n  ')},\n}`
  const key = isKeyed(endpoint) ? ', apiKey: process.env.KEYSTALL_KEY!' : ''
  const isBytes = endpoint.reply === 'bytes'
  return [
    ...(endpoint.upload ? ["import { openAsBlob } from 'node:fs'"] : []),
    "import { Keystall } from '@keystall/client'",
    '',
    `const keystall = new Keystall({ baseUrl: process.env.API_URL!${key} })`,
    `const answer = await keystall.${name}(${input})`,
    isBytes ? 'console.log(answer.status, answer.headers.get("content-type"))' : 'console.log(answer)',
  ].join('\n')
}

function typescriptValue(value: Sample): string {
  return print(value, {
    environment: (name) => `process.env.${name}!`,
    scalar: (scalar) =>
      typeof scalar === 'string'
        ? `'${scalar.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
        : JSON.stringify(scalar),
    name: (field) => field,
    isSpaced: true,
  })
}

function python({ endpoint, path, query, headers, body }: Call): string {
  const inText = (value: Sample) =>
    value instanceof FromEnvironment ? `{env['${value.name}']}` : encodeURIComponent(String(value))
  const sent = [
    ...(isKeyed(endpoint) ? [`"Authorization": f"Bearer {env['KEYSTALL_KEY']}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `"${name}": f"${inText(value)}"`),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(endpoint.upload ? ['"Content-Type": "multipart/form-data; boundary=part"'] : []),
  ]
  const lines = [
    `f"{env['API_URL']}${addressWith(endpoint, path, query, inText)}",`,
    `method="${endpoint.method}",`,
    ...(sent.length > 0 ? [`headers={${sent.join(', ')}},`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${pythonValue(body)}).encode(),`]),
    ...(endpoint.upload ? ['data=data,'] : []),
  ]
  return [
    `import ${body === undefined ? '' : 'json, '}urllib.request`,
    'from os import environ as env',
    '',
    ...(endpoint.upload ? pythonUpload(endpoint) : []),
    `request = urllib.request.Request(\n    ${lines.join('\n    ')}\n)`,
    'with urllib.request.urlopen(request) as answer:',
    `    print(answer.${endpoint.reply === 'bytes' ? 'status' : 'read().decode()'})`,
  ].join('\n')
}

function pythonUpload(endpoint: Endpoint): string[] {
  const file = fileFor(endpoint)
  const head = `--part\\r\\nContent-Disposition: form-data; name=\\"${endpoint.upload?.part}\\"; filename=\\"${file}\\"\\r\\n\\r\\n`
  return [`with open("${file}", "rb") as file:`, `    data = b"${head}" + file.read() + b"\\r\\n--part--\\r\\n"`]
}

function pythonValue(value: Sample): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return print(value, {
    environment: (name) => `env["${name}"]`,
    scalar: (scalar) => words[String(scalar)] ?? JSON.stringify(scalar),
    name: (field) => JSON.stringify(field),
    isSpaced: true,
  })
}

interface Printing {
  environment: (name: string) => string
  scalar: (value: string | number | boolean | null) => string
  name: (field: string) => string
  isSpaced?: boolean
}

function print(value: Sample, printing: Printing): string {
  const [comma, colon, space] = printing.isSpaced ? [', ', ': ', ' '] : [',', ':', '']
  if (value instanceof FromEnvironment) return printing.environment(value.name)
  if (Array.isArray(value)) return `[${value.map((each) => print(each, printing)).join(comma)}]`
  if (typeof value !== 'object' || value === null) return printing.scalar(value)
  const fields = Object.entries(value).map(([name, each]) => printing.name(name) + colon + print(each, printing))
  return fields.length === 0 ? '{}' : `{${space}${fields.join(comma)}${space}}`
}

function addressWith(
  { path }: Endpoint,
  values: Record<string, Sample>,
  query: Record<string, Sample>,
  text: (value: Sample) => string,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, token: string) => text(values[token] ?? ''))
  const search = Object.entries(query).map(([name, value]) => `${name}=${text(value)}`)
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`
}

function fileFor({ upload }: Endpoint): string {
  return upload?.part === 'image' ? 'picture.png' : upload?.accepts === '*/*' ? 'kit.zip' : 'picture.png'
}
