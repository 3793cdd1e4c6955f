import type { Shape } from './shape.ts'

/** A field of a form that takes text, and what stands there in a body. */
export interface TextField {
  /** Such as `items.productId`. */
  at: string
  shape: Shape
  values: unknown[]
}

/** Whatever a form takes as text, however deep. */
export function* textsIn(shape: Shape, values: unknown[] = [], at: string[] = []): Generator<TextField> {
  const branch = shape.anyOf?.[0] ?? shape
  if ([branch.type].flat().includes('string')) yield { at: at.join('.'), shape: branch, values }
  for (const [name, inner] of Object.entries(branch.properties ?? {})) {
    yield* textsIn(
      inner,
      values.map((value) => Object(value)[name]),
      [...at, name],
    )
  }
  if (branch.items) yield* textsIn(branch.items, values.flat(), at)
  if (branch.additionalProperties) {
    const inner = values.flatMap((value) => Object.values(Object(value)))
    yield* textsIn(branch.additionalProperties, inner, [...at, '*'])
  }
}

export function holdsOneOf(words: readonly string[], values: readonly unknown[]): boolean {
  return values.some((value) => words.some((word) => typeof value === 'string' && value.includes(word)))
}

/** Neither a choice, nor an id, a time, a colour or the like: somebody's words. */
export function isFree({ enum: choices, const: only, pattern = '', format }: Shape): boolean {
  if (choices || only !== undefined || format === 'date-time') return false
  return ['word', 'https://a.example/word', 'word@a.example'].some((text) => new RegExp(pattern).test(text))
}
