import { X } from 'lucide-react'
import { useState } from 'react'
import { useField } from './Field.tsx'
import { inputClass } from './TextInput.tsx'

/** Short texts, each added with Enter or a comma, taken away with its cross or Backspace. */
export function WordList({
  words,
  max,
  maxLength,
  onChange,
}: {
  words: readonly string[]
  max: number
  maxLength: number
  onChange: (words: readonly string[]) => void
}) {
  const [typed, setTyped] = useState('')

  function add(text: string) {
    const fresh = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && !words.includes(word))
    if (fresh.length > 0) onChange([...new Set([...words, ...fresh])].slice(0, max))
    setTyped('')
  }

  return (
    <div className="flex flex-col gap-2">
      {words.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {words.map((word) => (
            <li
              key={word}
              className="inline-flex min-w-0 items-center gap-0.5 rounded-full bg-sunken py-0.5 pr-0.5 pl-2.5 text-sm"
            >
              <span className="truncate">{word}</span>
              <button
                type="button"
                aria-label={`Remove ${word}`}
                onClick={() => onChange(words.filter((each) => each !== word))}
                className="grid size-6 place-items-center rounded-full text-soft hover:text-text pointer-coarse:size-8"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        type="text"
        {...useField()}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        disabled={words.length >= max}
        onChange={(event) =>
          event.target.value.includes(',') ? add(event.target.value) : setTyped(event.target.value)
        }
        onBlur={() => add(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            add(typed)
          }
          if (event.key === 'Backspace' && typed === '') onChange(words.slice(0, -1))
        }}
        className={inputClass}
      />
    </div>
  )
}
