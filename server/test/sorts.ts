import type { Endpoint } from '@keystall/contract/endpoint'
import { placesIn } from './sample.ts'
import type { Shape } from './shape.ts'

/**
 * The classes of bad input, and where each must be tried. What an endpoint may take comes last, as after it something
 * may be gone that the others ask for.
 */
export const appliesTo = {
  'ids of another form': hasId,
  'deleted ids': isOfStore,
  'foreign ids': isOfStore,
  'broken escapes': always,
  'left out and null': hasBody,
  'wrong types': hasBody,
  numbers: (endpoint) => hasPlace(endpoint, ({ type }) => ['integer', 'number'].includes(firstOf(type))),
  'amounts without decimals': (endpoint) =>
    isOfStore(endpoint) && hasPlace(endpoint, ({ type }) => firstOf(type) === 'number'),
  texts: hasText,
  'long texts': hasText,
  'broken characters': hasText,
  'strange characters': hasText,
  prototypes: hasBody,
  lists: (endpoint) => hasPlace(endpoint, ({ type }) => firstOf(type) === 'array'),
  structure: hasBody,
  'broken JSON': hasBody,
  'other encodings': hasBody,
  'bodies where none is due': ({ body, upload }) => !body && !upload,
  'broken forms': hasUpload,
  'cut forms': hasUpload,
  'mutated forms': hasUpload,
  lengths: always,
  chunks: always,
  methods: always,
  'broken heads': always,
  queries: always,
  'bytes in queries': always,
  'doubled queries': always,
  headers: always,
  pipelines: always,
  'as it should be': always,
} satisfies Record<string, (endpoint: Endpoint) => boolean>

export type Sort = keyof typeof appliesTo

export const sorts = Object.keys(appliesTo) as Sort[]

function always(): boolean {
  return true
}

export function isOfStore({ path }: Endpoint): boolean {
  return path.startsWith('/stores/{storeId}/')
}

function hasId({ path }: Endpoint): boolean {
  return path.includes('{')
}

function hasBody({ body }: Endpoint): boolean {
  return body !== undefined
}

function hasUpload({ upload }: Endpoint): boolean {
  return upload !== undefined
}

function hasText(endpoint: Endpoint): boolean {
  return hasPlace(endpoint, (place) => firstOf(place.type) === 'string' && !place.enum)
}

function hasPlace({ body }: Endpoint, is: (place: Shape) => boolean): boolean {
  return body !== undefined && [...placesIn(Object(body))].some(([, place]) => is(place))
}

export function firstOf(type: Shape['type']): string {
  return [type].flat()[0] ?? ''
}
