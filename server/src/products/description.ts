import type { Config } from '#config'
import { foreignImages } from '#platform/markdown/markdown'

/** Why a text may not be kept; undefined when it may. */
export function imageProblem({ apiUrl, imageHosts }: Config, markdown: string | null): string | undefined {
  if (markdown === null) return undefined
  const [foreign] = foreignImages(markdown, { imageHosts: [apiUrl.host, ...imageHosts] })
  if (foreign === undefined) return undefined
  return `must not show images from elsewhere: upload them, or use ${[apiUrl.host, ...imageHosts].join(', ')}`
}
