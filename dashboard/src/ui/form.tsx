import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import type { TSchema } from 'typebox'
import { failureOf } from '../api.ts'
import { Notice } from './Notice.tsx'

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string

/** The values of a form, what the API said about them, and whether they differ from what was loaded. */
export function useForm<Values extends object, Result>({
  initial,
  send,
  onSent,
}: {
  initial: Values
  send: (values: Values) => Promise<Result>
  onSent?: (result: Result, values: Values) => void
}) {
  const sentFrom = useRef<HTMLFormElement>(null)
  const [baseline, setBaseline] = useState(initial)
  const [values, setValues] = useState(initial)
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: send,
    onSuccess: (result, sent) => {
      setBaseline(sent)
      onSent?.(result, sent)
    },
  })
  const failure = error === null ? undefined : failureOf(error)

  useEffect(() => {
    if (error) sentFrom.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])

  function set<Name extends keyof Values & string>(name: Name, value: Values[Name]) {
    setValues((before) => ({ ...before, [name]: value }))
    setEdited((before) => new Set(before).add(name))
  }

  /** The reason is hidden once the field is edited: it was about the old value. */
  function errorOf(name: keyof Values & string) {
    if (edited.has(name)) return undefined
    return failure?.invalidFields.find(({ fieldName }) => fieldName === name || fieldName.startsWith(`${name}.`))
      ?.reason
  }

  return {
    values,
    set,
    errorOf,
    isBusy: isPending,
    isDirty: JSON.stringify(values) !== JSON.stringify(baseline),
    /** What belongs to no field of this form. */
    failure:
      failure && !failure.invalidFields.some(({ fieldName }) => isFieldOf(values, fieldName))
        ? failure.message
        : undefined,
    revert: (to: Values = baseline) => {
      setBaseline(to)
      setValues(to)
      setEdited(new Set())
      reset()
    },
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      sentFrom.current = event.currentTarget
      setEdited(new Set())
      mutate(values)
    },
    text: (name: TextName<Values>) => ({
      name: String(name),
      value: String(values[name]),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        const typed = event.target.value
        setValues((before) => ({ ...before, [name]: typed }))
        setEdited((before) => new Set(before).add(name))
      },
    }),
  }
}

function isFieldOf(values: object, fieldName: string) {
  return Object.keys(values).some((name) => fieldName === name || fieldName.startsWith(`${name}.`))
}

export function FormFailure({ failure }: { failure: string | undefined }) {
  return failure === undefined ? null : <Notice kind="danger">{failure}</Notice>
}

/** The limits of a control, from the form's schema in the contract. */
export function limits(schema: TSchema): { maxLength?: number; minLength?: number } {
  return {
    ...('maxLength' in schema && typeof schema.maxLength === 'number' ? { maxLength: schema.maxLength } : {}),
    ...('minLength' in schema && typeof schema.minLength === 'number' ? { minLength: schema.minLength } : {}),
  }
}
