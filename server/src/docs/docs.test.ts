import assert from 'node:assert/strict'
import { endpoints } from '@keystall/contract/endpoints/index'
import type { Endpoint } from '@keystall/contract/endpoint'
import { describe, test } from 'vitest'
import { isServedOn } from '#platform/http/access'
import { useServer } from '#test/harness'
import { languages, snippetsOf } from './snippets.ts'

const server = useServer({ hasJobs: false })
const get = (url: string) => server.app.api.inject({ url })

describe('GET /docs', () => {
  test('every page that is linked to is there, with a strict policy and the heading that was named', async () => {
    const pages = new Map<string, string>()
    const waiting = ['/docs']
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (pages.has(path)) continue
      const answer = await get(path)
      assert.equal(answer.statusCode, 200, path)
      pages.set(path, answer.body)
      if (!String(answer.headers['content-type']).startsWith('text/html')) continue
      assert.match(
        String(answer.headers['content-security-policy']),
        /^default-src 'none'; style-src 'self'; script-src 'self'/,
      )
      assert.doesNotMatch(answer.body, /<script>| style=| on\w+="/)
      for (const [, link = ''] of answer.body.matchAll(/(?:href|src)="(\/[^"#]*)/g)) waiting.push(link)
    }
    const found: { url: string }[] = JSON.parse((await get('/docs/search.json')).body)
    for (const { url } of found) {
      const [path = '', name] = url.split('#')
      assert.ok(name === undefined || pages.get(path)?.includes(`id="${name}"`), url)
    }
    assert.ok(pages.size > 30)
  })

  test('the reference has every endpoint that can be called from outside, with an example in each language', async () => {
    const called = Object.entries<Endpoint>(endpoints).filter(([, { access }]) => isServedOn('api', access))
    const found: { url: string }[] = JSON.parse((await get('/docs/search.json')).body)
    const named = found.map(({ url }) => url.split('#')[1])
    assert.deepEqual(
      called.filter(([name]) => !named.includes(name)),
      [],
    )
    for (const [name, endpoint] of called) {
      assert.ok(languages.every((language) => snippetsOf(name, endpoint)[language].length > 20))
    }
  })

  test('a page that is not there is not found', async () => {
    assert.equal((await get('/docs/nothing')).statusCode, 404)
    assert.equal((await get('/docs/reference/nothing')).statusCode, 404)
  })
})
