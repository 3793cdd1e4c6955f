import type { Heard } from './line.ts'
import { departure } from './reply-shape.ts'
import type { Sort } from './sorts.ts'
import type { Trial } from './trial.ts'

/** What is neither a documented success nor a refusal in words. */
export function complaintAbout(trial: Trial, heard: readonly Heard[]): string | undefined {
  return heard
    .map((answer) => (answer.status < 400 ? departureFrom(trial, answer) : complaintAboutRefusal(trial, answer)))
    .find((complaint) => complaint !== undefined)
}

/** What may be answered by another endpoint: another method, what came before on the connection, a page instead of an id. */
const elsewhere: readonly Sort[] = ['methods', 'pipelines', 'ids of another form']

function departureFrom({ endpoint, sort, isForbidden }: Trial, answer: Heard): string | undefined {
  if (isForbidden) return `${answer.status} to whom it does not belong`
  if (elsewhere.includes(sort) || answer.status === 304) return undefined
  return departure(endpoint, answer)
}

/** A refusal in the one shape that all have. */
function complaintAboutRefusal({ sort }: Trial, { status, headers, text }: Heard): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  // HEAD has none.
  if (sort === 'methods' && text === '') return undefined
  // Another host is a store's, which speaks to people.
  if (sort === 'broken heads' && status === 404 && text.startsWith('<!doctype html>')) return undefined
  try {
    const body = Object(JSON.parse(text))
    const isWhole =
      body.success === false &&
      body.data === null &&
      typeof body.message === 'string' &&
      typeof body.code === 'string' &&
      body.requestId === headers['x-request-id'] &&
      (body.code !== 'ValidationError' || Array.isArray(body.invalidFields))
    return isWhole ? undefined : `${status} in another shape: ${text.slice(0, 200)}`
  } catch {
    return `${status} and no JSON: ${text.slice(0, 200)}`
  }
}
