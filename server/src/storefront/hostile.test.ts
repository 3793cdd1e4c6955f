import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { injections } from '@keystall/storefront/injections'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { layout } from '#platform/mail/layout'
import { useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { aVisitor } from '#test/visitor'

const server = useServer()

/** What markdown may make of a text. */
const written = new Set([
  'p',
  'a',
  'br',
  'em',
  'strong',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'blockquote',
  'h1',
  'h2',
  'hr',
])

function tagsOf(page: string): [name: string, attributes: string][] {
  const marked = page.replace(/(<script type="application\/ld\+json">)[^<]*/g, '$1')
  return [...marked.matchAll(/<\/?([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/gi)].map(([, name = '', rest = '']) => [
    name.toLowerCase(),
    rest,
  ])
}

/** Tags that no text can have made, in their order. */
function skeleton(page: string): string[] {
  return tagsOf(page).flatMap(([name]) => (written.has(name) ? [] : [name]))
}

function assertHarmless(page: string, plain: string, what: string): void {
  assert.deepEqual(skeleton(page), skeleton(plain), what)
  for (const [name, attributes] of tagsOf(page)) {
    const names = [...attributes.replace(/"[^"]*"/g, '""').matchAll(/([^\s=/"]+)\s*(?:=|\s|$)/g)].map(
      ([, each = '']) => each,
    )
    assert.ok(!names.some((each) => /^(on|style$|srcdoc$|formaction$)/i.test(each)), `${what}: <${name}${attributes}>`)
    assert.doesNotMatch(attributes, /(href|src|action)="\s*(javascript|data|vbscript):/i, what)
  }
}

describe('what people write is text wherever it is shown', () => {
  test('on the pages of a store and in the marketplace', async () => {
    const { db, config } = server.platform
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const order = await anOrder(seller, product)
    await pay(server, order)
    const store = { id: seller.storeId }
    await sql`insert into faq_entries (store_id, id, question, answer, position) values (${store.id}, gen_random_uuid(), 'x', 'x', 1)`.execute(
      db,
    )
    await sql`insert into customer_sessions (store_id, token_hash, customer_id, expires_at)
      select ${store.id}, ${createHash('sha256').update('s'.repeat(43)).digest()}, id, now() + interval '1 day' from customers where store_id = ${store.id}`.execute(
      db,
    )
    const visitor = await aVisitor(server, seller)
    const act = (name: string, form: Record<string, string>) =>
      visitor.post(`/checkout/${order.id}/${name}?key=${order.key}`, form)
    assert.equal((await act('ticket', { subject: 'x', message: 'x' })).status, 303)
    assert.equal((await act('review', { productId: product.id, rating: '5', reason: 'x' })).status, 303)
    const portal = { cookie: `keystall_customer=${'s'.repeat(43)}` }

    const write = async (text: string) => {
      const name = text.padEnd(3, ' x').slice(0, 64)
      await sql`update stores set name = ${text}, title = ${text}, leading_text = ${text}, description = ${text},
        announcement = ${text}, seller_message = ${text}, terms_of_service = ${text}, copyright = ${text},
        accent_color = null, social_media_accounts = ${JSON.stringify({ chat: text, microblog: text })}::jsonb,
        theme_properties = ${JSON.stringify({ font: text, radius: text, width: text })}::jsonb where id = ${store.id}`.execute(
        db,
      )
      await sql`update products set name = ${name}, description = ${text}, delivery_message = ${text}, tags = ${[text]},
        custom_value_keys = ${[text]} where store_id = ${store.id}`.execute(db)
      await sql`update order_lines set product_name = ${text} where store_id = ${store.id}`.execute(db)
      await sql`update reviews set reason = ${text}, reply = ${text} where store_id = ${store.id}`.execute(db)
      await sql`update tickets set subject = ${text} where store_id = ${store.id}`.execute(db)
      await sql`update ticket_entries set message = ${text} where store_id = ${store.id}`.execute(db)
      await sql`update faq_entries set question = ${text}, answer = ${text} where store_id = ${store.id}`.execute(db)
      server.platform.kept.forget(store.id)
    }
    const read = async (text: string): Promise<Map<string, string>> => {
      const query = encodeURIComponent(text)
      const paths = [
        '/',
        `/?q=${query}`,
        `/product/${product.id}`,
        `/embed/${product.id}`,
        '/terms',
        '/contact',
        '/reviews',
        '/report',
        '/portal',
        `/checkout/${order.id}?key=${order.key}`,
        '/theme.css',
        `/${query}`,
      ]
      const pages = new Map<string, string>()
      for (const path of paths)
        pages.set(path.replace(query, ''), (await visitor.get(path, path === '/portal' ? portal : {})).text)
      const market = await server.app.market.inject({
        url: `/?q=${query}&tag=${query}`,
        headers: { host: config.storeDomain },
      })
      return pages.set('market', market.body)
    }
    await write('xxx')
    const plain = await read('xxx')
    assert.match(plain.get('/portal') ?? '', /Signed in as/)
    assert.match(plain.get('market') ?? '', /<h3>/)
    for (const injection of injections.filter((text) => !text.includes('\u0000'))) {
      await write(injection)
      for (const [path, page] of await read(injection)) {
        if (path === '/theme.css') assert.equal(page, plain.get(path))
        // A text of a search may find nothing, and the page then has fewer tags: no tag may be new.
        else if (path === '/?q=' || path === 'market') {
          const known = new Set(skeleton(plain.get(path) ?? ''))
          assert.deepEqual(
            skeleton(page).filter((name) => !known.has(name) && name !== 'h2'),
            [],
            `${path} ${injection}`,
          )
          assertHarmless(page, page, `${path} ${injection}`)
        } else assertHarmless(page, plain.get(path) ?? '', `${path} ${injection}`)
      }
    }
  }, 120_000)

  test('in mails', () => {
    const mail = (text: string) =>
      layout({
        title: text,
        paragraphs: [text, { code: text }],
        button: { label: text, url: `https://a.example/?${text}` },
        footer: text,
        sender: text,
      })
    for (const injection of injections) assertHarmlessMail(mail(injection).html, mail('x').html, injection)
  })
})

/** Mails have styles of their own. */
function assertHarmlessMail(page: string, plain: string, what: string): void {
  assert.deepEqual(
    tagsOf(page).map(([name]) => name),
    tagsOf(plain).map(([name]) => name),
    what,
  )
  assert.doesNotMatch(page.replace(/"[^"]*"/g, '""'), /<[^>]*\son\w+=/i, what)
}
