import type { ComponentProps } from 'react'
import { useField } from './Field.tsx'

const control =
  'w-full rounded-control border border-line-control bg-surface px-3 text-base pointer-coarse:text-lg placeholder:text-soft/80 transition-[border-color,box-shadow] focus-visible:outline-offset-0 aria-invalid:border-danger aria-invalid:outline-danger disabled:opacity-60'

export const inputClass = `${control} h-9 pointer-coarse:h-11`

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...useField()} {...rest} className={`${inputClass} read-only:bg-sunken ${className}`} />
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...useField()} {...rest} className={`${control} min-h-20 py-2 ${className}`} />
}
