import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { foreignImages, markdownCharactersMax, renderMarkdown } from './markdown.ts'

const rules = { imageHosts: ['api.shop.example', 'images.example:8443'] }
const render = (source: string) => renderMarkdown(source, rules)

test('what a seller writes is shown', () => {
  const html = render('# Keys\n\nA **bold** [link](https://a.example/?b=1&c=2), `code`\n\n- one\n\n|a|b|\n|-|-|\n|1|2|')
  assert.match(html, /<h1>Keys<\/h1>/)
  assert.match(html, /<strong>bold<\/strong>/)
  assert.match(
    html,
    /<a href="https:\/\/a\.example\/\?b=1&amp;c=2" rel="nofollow noopener noreferrer" target="_blank">link<\/a>/,
  )
  assert.match(html, /<td>1<\/td>/)
  assert.match(render('[mail](mailto:a@b.example)'), /href="mailto:a@b\.example"/)
})

describe('script has no way in', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#x0A;script:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:a)',
    '<javascript:alert(1)>',
    '[x][a]\n\n[a]: javascript:alert(1)',
    '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
    '![x"onerror="alert(1)](https://api.shop.example/a.png)',
    '`<script>alert(1)</script>`',
    '<svg/onload=alert(1)>',
    '<iframe src="//evil.example">',
    '[x](//evil.example)',
  ])('%s', (source) => {
    const html = render(source)
    assert.doesNotMatch(html, /<(script|svg|iframe)|href="(?!https?:|mailto:)/i)
    assert.doesNotMatch(html.replace(/"[^"]*"/g, '""'), /<[^>]*\son\w+=/i)
  })
})

describe('a picture from elsewhere is found at save and dropped when shown', () => {
  test.each([
    '![a](https://evil.example/a.png)',
    '![a](//evil.example/a.png)',
    '![a](/a.png)',
    '![a](https://api.shop.example.evil.example/a.png)',
    '![a](https://api.shop.example@evil.example/a.png)',
    '![a](https://evil.example/?api.shop.example)',
    '![a](https://evil.example\\@api.shop.example/a.png)',
    '![a](https://images.example/a.png)',
    '![a](data:image/png;base64,AAAA)',
    '![a][ref]\n\n[ref]: https://evil.example/a.png',
    '![ref]\n\n[ref]: <https://evil.example/a.png> "title"',
    '[![a](https://evil.example/a.png)](https://api.shop.example/)',
    '> - # *![a](https://evil.example/a.png)*',
    '|a|\n|-|\n|![a](https://evil.example/a.png)|',
    '![b ![a](https://evil.example/a.png)](https://api.shop.example/b.png)',
    '![a](HTTPS://EVIL.EXAMPLE/a.png)',
    '![a](https://xn--pi-7ba.shop.example/a.png)',
  ])('%s', (source) => {
    assert.equal(foreignImages(source, rules).length, 1)
    assert.doesNotMatch(render(source), /<img[^>]+(evil|src="\/|data:|images\.example\/)/i)
  })

  test('ours and the allowed ones stay', () => {
    const source =
      '![a](https://API.shop.example/a.png) ![b](https://images.example:8443/b.png "t") <img src="https://evil.example">'
    assert.deepEqual(foreignImages(source, rules), [])
    assert.equal(render(source).match(/<img /g)?.length, 2)
  })
})

const parts = [
  '[',
  '![',
  '[a](',
  '*a ',
  '**a _',
  '`',
  '``a`',
  '<',
  '<a',
  '> ',
  '- ',
  '[a]: b\n',
  '[a][',
  '(',
  '\\',
  '&#',
  '|',
  '|a|\n',
  '~~a',
  '\n\n1. ',
  '![a](<',
  '_*',
  '[]',
  '<!--',
  '"',
  '\t',
  '# ',
  '![[]()',
  'http://a.b/',
  '***a**b*',
]

describe('a hostile text is rendered in time', () => {
  test.each(parts)('100 KB of %j', (part) => {
    for (const marks of [95, 2400, markdownCharactersMax]) {
      const source = part.repeat(marks).slice(0, marks).padEnd(markdownCharactersMax, 'x')
      // The thread's own time, whatever else the machine does meanwhile.
      const before = process.threadCpuUsage()
      const html = render(source)
      const { user } = process.threadCpuUsage(before)
      assert.ok(user < 200_000, `${user / 1000} ms`)
      assert.doesNotMatch(html, /<!--|<img/)
    }
  })

  test('too dense a text is shown as it was written', () => {
    const html = render(`<script>${'*a* '.repeat(2000)}![x](https://evil.example/a.png)`)
    assert.match(html, /^<p>&lt;script&gt;\*a\* /)
    assert.doesNotMatch(html, /<img|<em/)
  })
})
