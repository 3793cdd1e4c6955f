import type { ComponentProps } from 'react'
import { TextInput } from '../ui/TextInput.tsx'

/** A one-time code. Recovery codes have letters, so the keyboard is not limited to digits. */
export function CodeInput(props: ComponentProps<'input'>) {
  return (
    <TextInput
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      className="font-mono tracking-widest"
    />
  )
}
