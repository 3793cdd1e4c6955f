import { Monitor, Moon, Sun } from 'lucide-react'
import { useId, useState } from 'react'

const choices = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
] as const

/** public/theme.js does the changing; it also runs before the app is there. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(stored)
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label
          key={value}
          className="flex h-8 items-center gap-2 px-3 font-medium pointer-coarse:h-10 rounded-[5px] text-soft transition-colors hover:text-text has-checked:bg-surface has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={chosen === value}
            onChange={() => {
              setChosen(value)
              choose(value)
            }}
          />
          <Icon aria-hidden className="size-4" />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function stored() {
  try {
    return localStorage.getItem('theme') ?? 'system'
  } catch {
    return 'system'
  }
}

function choose(theme: string) {
  try {
    localStorage.setItem('theme', theme)
  } catch {
    return
  }
  dispatchEvent(new Event('themechosen'))
}
