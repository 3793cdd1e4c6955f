import MarkdownIt from 'markdown-it'
import sanitize from 'sanitize-html'

/** Text beyond this is not rendered; forms refuse it before. */
export const markdownCharactersMax = 100_000

/**
 * Parsing takes some 20 µs for each mark and line, and a mark may read its whole paragraph, while nobody else is
 * served. No description needs so many of them; a text that has more is shown as it was written.
 */
const marksMax = 2500
const readsMax = 10_000_000
const mark = /[\n[*_~`|<&"\\]/g

export interface MarkdownRules {
  /** Hosts that pictures may come from, ours among them, with their port where it is not the usual one. */
  readonly imageHosts: readonly string[]
}

const { escapeHtml } = new MarkdownIt().utils
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true, maxNesting: 20 })

const guides = new MarkdownIt({ html: false, linkify: false, typographer: false })
guides.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('id', headingName(tokens[index + 1]?.content ?? ''))
  return self.renderToken(tokens, index, options)
}

/** Safe HTML. What is not allowed is left out, its text stays. */
export function renderMarkdown(source: string, { imageHosts }: MarkdownRules): string {
  if (isTooDense(source)) return `<p>${escapeHtml(source.slice(0, markdownCharactersMax))}</p>`
  return sanitize(markdown.render(source), {
    allowedTags: [
      'p',
      'br',
      'hr',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'blockquote',
      'ul',
      'ol',
      'li',
      'pre',
      'code',
      'strong',
      'em',
      's',
      'a',
      'img',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
    ],
    allowedAttributes: {
      a: ['href', 'title', 'rel', 'target'],
      img: ['src', 'alt', 'title', 'loading'],
      ol: ['start'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesAppliedToAttributes: ['href', 'src'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isAllowedImage(attribs['src'] ?? '', imageHosts),
    transformTags: {
      a: (tagName, { href = '', ...attribs }) => ({
        tagName,
        attribs: isAllowedLink(href) ? { href, ...attribs, rel: 'nofollow noopener noreferrer', target: '_blank' } : {},
      }),
      img: (tagName, attribs) => ({ tagName, attribs: { ...attribs, loading: 'lazy' } }),
    },
  })
}

/** For pages of our own: lines may be wrapped, headings can be linked to, and a code block says its language. */
export function renderGuide(source: string): string {
  return guides.render(source)
}

/** The name of a heading in an address. */
export function headingName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The addresses of all pictures, however they are written, that come from elsewhere. */
export function foreignImages(source: string, { imageHosts }: MarkdownRules): string[] {
  if (isTooDense(source)) return []
  return markdown
    .parse(source, {})
    .flatMap(imagesOf)
    .filter((address) => !isAllowedImage(address, imageHosts))
}

function isTooDense(source: string): boolean {
  if (source.length > markdownCharactersMax) return true
  const marks = source.match(mark)?.length ?? 0
  const longest = source.split(/\n[ \t]*\n/).reduce((most, { length }) => Math.max(most, length), 0)
  return marks > marksMax || marks * longest > readsMax
}

type Token = ReturnType<typeof markdown.parse>[number]

function imagesOf(token: Token): string[] {
  const own = token.type === 'image' ? [String(token.attrGet('src') ?? '')] : []
  return [...own, ...(token.children ?? []).flatMap(imagesOf)]
}

/** Whole addresses only: what a relative one leads to depends on the page. */
function isAllowedLink(address: string): boolean {
  return ['http:', 'https:', 'mailto:'].includes(URL.parse(address)?.protocol ?? '')
}

/** The host is parsed and matched whole: neither a name inside another nor a user name passes for it. */
function isAllowedImage(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return false
  return hosts.some((host) => host.toLowerCase() === url.host)
}
