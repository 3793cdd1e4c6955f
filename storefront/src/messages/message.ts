import type { en } from './en.ts'

/** A message whose words change with `{count}`, by the rules of its language. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

export type MessageKey = keyof typeof en

/** All that the pages say, in one language: a file that lacks a message does not compile. */
export type Messages = { readonly [Key in MessageKey]: (typeof en)[Key] extends string ? string : Plural }

type TextOf<Message> = Message extends string ? Message : Message[keyof Message]
type HolesIn<Text> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesIn<Rest> : never

/** What stands between braces in the English message, and must be given. */
export type Holes<Key extends MessageKey> = HolesIn<TextOf<(typeof en)[Key]>>
