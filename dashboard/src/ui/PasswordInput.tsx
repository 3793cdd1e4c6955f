import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { TextInput } from './TextInput.tsx'

export function PasswordInput(props: ComponentProps<'input'>) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <TextInput {...props} type={isShown ? 'text' : 'password'} spellCheck={false} className="pr-11" />
      <button
        type="button"
        aria-label={isShown ? 'Hide password' : 'Show password'}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-soft hover:text-text"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  )
}

/** A hint while typing, not a verdict: the server decides. */
export function PasswordStrength({ password, lengthMin }: { password: string; lengthMin: number }) {
  const { step, words } = strengthOf(password, lengthMin)
  const colour = step <= 1 ? 'bg-danger' : step === 2 ? 'bg-warning' : 'bg-success'
  return (
    <div className="flex items-center gap-2 text-sm text-soft">
      <span aria-hidden className="flex w-24 gap-1">
        {[1, 2, 3, 4].map((part) => (
          <span key={part} className={`h-1 flex-1 rounded-full ${part <= step ? colour : 'bg-line'}`} />
        ))}
      </span>
      <output>{words}</output>
    </div>
  )
}

function strengthOf(password: string, lengthMin: number) {
  // Code points, as the API counts.
  const length = Array.from(password).length
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const variety = new Set(password).size
  if (length === 0) return { step: 0, words: `At least ${lengthMin} characters` }
  if (length < lengthMin) return { step: 1, words: `${lengthMin - length} more to go` }
  if (variety < 6) return { step: 1, words: 'Too easy to guess' }
  if (length >= 16 || (length >= 13 && kinds >= 3)) return { step: 4, words: 'Strong' }
  if (kinds >= 3 || length >= 13) return { step: 3, words: 'Good' }
  return { step: 2, words: 'Fair; longer is better' }
}
