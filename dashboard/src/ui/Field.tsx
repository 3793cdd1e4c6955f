import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId } from 'react'

interface FieldLinks {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const FieldContext = createContext<FieldLinks | undefined>(undefined)

/** What ties a control to its label, help and error; nothing outside a Field. */
export function useField(): Partial<FieldLinks> {
  return useContext(FieldContext) ?? {}
}

export interface FieldProps {
  label: string
  help?: ReactNode
  error?: string | undefined
  children: ReactNode
  /** Beside the label: a link, a counter. */
  aside?: ReactNode
}

export function Field({ label, help, error, aside, children }: FieldProps) {
  const id = useId()
  const helpId = help === undefined ? undefined : `${id}-help`
  const errorId = error === undefined ? undefined : `${id}-error`
  const links: FieldLinks = {
    id,
    'aria-describedby': [errorId, helpId].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  }
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      <FieldContext value={links}>{children}</FieldContext>
      <FieldError id={errorId} error={error} />
      {help !== undefined && (
        <div id={helpId} className="text-sm text-soft">
          {help}
        </div>
      )}
    </div>
  )
}

/** The API's reasons finish the sentence that the label begins: "is too short". */
export function FieldError({ id, error }: { id?: string | undefined; error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p id={id} className="flex animate-appear items-start gap-1.5 text-sm font-medium text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {error.charAt(0).toUpperCase() + error.slice(1)}
    </p>
  )
}

/** A group of checkboxes or radios under one name. */
export function FieldGroup({ label, help, error, aside, children }: FieldProps) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error ? `${id}-error` : `${id}-help`}>
      <legend className="sr-only">{label}</legend>
      <div className="flex items-baseline justify-between gap-4">
        <span aria-hidden className="font-medium">
          {label}
        </span>
        {aside}
      </div>
      {help !== undefined && (
        <div id={`${id}-help`} className="-mt-1 text-sm text-soft">
          {help}
        </div>
      )}
      {children}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  )
}
