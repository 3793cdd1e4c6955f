import assert from 'node:assert/strict'
import type { PaymentSettingsField } from '@keystall/contract/shapes/payment-method'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

interface Annotations {
  /** The label of the field. */
  title: string
  /** What helps to fill it in. */
  description: string
}

interface Limits {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  /** Said when the pattern does not fit: "must begin with sk_". */
  reason?: string
}

/** A field that must be filled in. */
export function text(annotations: Annotations, limits: Limits = {}) {
  return Type.String({ minLength: 1, maxLength: 254, ...limits, ...annotations })
}

/** A field that may be left empty. */
export function optionalText(annotations: Annotations, limits: Limits = {}) {
  return Type.Optional(Type.String({ maxLength: 254, ...limits, ...annotations, default: '' }))
}

/** Sealed when saved, and never shown again. Left empty when saved again, it stays as it is. */
export function secret(annotations: Annotations, limits: Limits = {}) {
  return Type.String({ minLength: 1, maxLength: 1024, ...limits, ...annotations, isSecret: true })
}

export function optionalSecret(annotations: Annotations, limits: Limits = {}) {
  return Type.Optional(Type.String({ maxLength: 1024, ...limits, ...annotations, default: '', isSecret: true }))
}

/** Known to the method alone: neither shown nor taken from a form. */
export function internal() {
  return Type.Optional(Type.String({ maxLength: 1024, isInternal: true }))
}

export function flag(annotations: Annotations, isOn = false) {
  return Type.Optional(Type.Boolean({ ...annotations, default: isOn }))
}

/** What was saved, as the method's own schema names it. */
export function settingsOf<S extends TSchema>(schema: S, settings: unknown): Static<S> {
  assert(Value.Check(schema, settings), 'settings were checked when they were saved')
  return settings
}

type Values = Readonly<Record<string, unknown>>

/** What would be saved: a secret that is not sent again stays. */
export function mergeSettings(schema: TObject, given: Values, stored: unknown): Record<string, unknown> {
  const known: Values = Object(stored)
  return Object.fromEntries(
    fieldsOf(schema).flatMap(({ name, isSecret, isInternal }) => {
      const value = Object.hasOwn(given, name) && !isInternal ? given[name] : undefined
      const isKept = (isSecret || isInternal) && (value === undefined || value === null || value === '')
      const merged = isKept ? known[name] : typeof value === 'string' ? value.trim() : value
      return merged === undefined || merged === null ? [] : [[name, merged]]
    }),
  )
}

const wrapped = new WeakMap<TObject, TObject>()

/** As the body has it, so that a refusal names `settings.secretKey`. */
export function bodyWith(schema: TObject): TObject {
  const known = wrapped.get(schema) ?? Type.Object({ settings: schema })
  wrapped.set(schema, known)
  return known
}

/** The fields as the seller may see them: of a secret only whether it is there. */
export function shownFields(schema: TObject, stored: unknown): PaymentSettingsField[] {
  const known: Values = Object(stored)
  const shown = fieldsOf(schema).filter(({ isInternal }) => !isInternal)
  return shown.map(({ name, isSecret, schema: field, isRequired }) => {
    const value = known[name] ?? null
    return {
      name,
      label: String(field['title'] ?? name),
      hint: String(field['description'] ?? ''),
      kind: kindOf(field, isSecret),
      isRequired,
      choices: Array.isArray(field['enum']) ? field['enum'].map(String) : [],
      isSet: value !== null && value !== '',
      value: isSecret || !isPlain(value) ? plainDefault(field, isSecret) : value,
    }
  })
}

function isPlain(value: unknown): value is string | boolean | number {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
}

function plainDefault(field: Values, isSecret: boolean) {
  const value = field['default']
  return !isSecret && isPlain(value) ? value : null
}

function kindOf(field: Values, isSecret: boolean): PaymentSettingsField['kind'] {
  if (isSecret) return 'secret'
  if (field['type'] === 'boolean') return 'flag'
  if (field['type'] === 'integer' || field['type'] === 'number') return 'number'
  if (Array.isArray(field['enum'])) return 'choice'
  if (field['format'] === 'email') return 'email'
  return Number(field['maxLength'] ?? 0) > 254 ? 'long' : 'text'
}

function fieldsOf(schema: TObject) {
  const required: readonly string[] = Object(schema)['required'] ?? []
  return Object.entries(schema.properties).map(([name, property]) => {
    const field: Values = Object(property)
    return {
      name,
      schema: field,
      isSecret: field['isSecret'] === true,
      isInternal: field['isInternal'] === true,
      isRequired: required.includes(name),
    }
  })
}
