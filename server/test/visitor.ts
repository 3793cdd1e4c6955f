import type { Seller } from './factories.ts'
import type { TestServer } from './harness.ts'
import { multipart, multipartType, type Part } from './multipart.ts'

export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(
    path: string,
    form: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** As a form with files is sent. */
  send(path: string, parts: readonly Part[]): Promise<Answer>
  cookies: ReadonlyMap<string, string>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** Where it leads on to. */
  location: string
}

/** Somebody without script, at a store's door. */
export async function aVisitor(server: TestServer, seller: Seller): Promise<Visitor> {
  const { url } = await server.platform.db
    .selectFrom('stores')
    .where('id', '=', seller.storeId)
    .select('url')
    .executeTakeFirstOrThrow()
  return aVisitorAt(server, `${url}.${server.platform.config.storeDomain}`)
}

/** A host, and the cookies that it gave. */
export function aVisitorAt({ app, platform }: TestServer, host: string): Visitor {
  const cookies = new Map<string, string>()
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    payload?: string | Buffer,
  ): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await app.store.inject({
      method,
      url: path,
      headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0/.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = String(answer.headers.location ?? '')
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, location }
  }
  const own = { origin: `${platform.config.storeScheme}//${host}` }
  return {
    cookies,
    send: (path, parts) => send('POST', path, { 'content-type': multipartType, ...own }, multipart(parts)),
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, form, headers = {}) =>
      send(
        'POST',
        path,
        {
          'content-type': 'application/x-www-form-urlencoded',
          ...own,
          ...headers,
        },
        String(new URLSearchParams(form)),
      ),
  }
}

/** The basket's form as the page shows it, and what a buyer adds to it. */
export function filledIn(page: Answer, typed: Record<string, string> = {}): [string, string][] {
  const fields = [...page.text.matchAll(/<input([^>]*)>/g)].flatMap(([, attributes = '']): [string, string][] => {
    const [, name = ''] = / name="([^"]*)"/.exec(attributes) ?? []
    const [, value = ''] = / value="([^"]*)"/.exec(attributes) ?? []
    const isRadio = attributes.includes('type="radio"')
    return name === '' || name in typed || (isRadio && !/ checked/.test(attributes)) ? [] : [[name, value]]
  })
  return [...fields, ...Object.entries(typed)]
}
