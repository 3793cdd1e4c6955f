import { headingName } from '#platform/markdown/markdown'
import { guides } from './guides.ts'
import { chapters } from './reference.ts'

interface Found {
  title: string
  /** Where it belongs: the guide or chapter, or an endpoint's address. */
  under: string
  url: string
  /** Further words by which it is found. */
  words: string
}

/** All that can be found: every part of a guide and every endpoint. */
export function searchIndex(): Found[] {
  const parts = guides().flatMap(({ name, title, source }) =>
    source
      .split(/^(?=##? )/m)
      .filter((part) => part.startsWith('#'))
      .map((part) => {
        const heading = part.slice(0, part.indexOf('\n')).replace(/^#+ /, '')
        const url = heading === title ? `/docs/${name}` : `/docs/${name}#${headingName(heading)}`
        return { title: heading, under: title, url, words: wordsOf(part) }
      }),
  )
  const calls = chapters.flatMap((chapter) =>
    chapter.entries.map(({ name, endpoint }) => ({
      title: endpoint.summary,
      under: `${endpoint.method} ${endpoint.path}`,
      url: `/docs/reference/${chapter.name}#${name}`,
      words: wordsOf(`${name} ${endpoint.access} ${endpoint.description ?? ''}`),
    })),
  )
  return [...parts, ...calls]
}

function wordsOf(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{3,}/gu) ?? [])].join(' ')
}
