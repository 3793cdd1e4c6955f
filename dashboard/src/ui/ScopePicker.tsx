import { type Scope, scopeNames, scopes } from '@keystall/contract/scopes'
import { Checkbox } from './Checkbox.tsx'
import { FieldGroup } from './Field.tsx'

/** `stores.products.create` is about products, `stores.create` about stores, `user.view` about the account. */
function subjectOf(scope: Scope) {
  const parts = scopes[scope].permission.split('.')
  const subject = parts[0] === 'stores' && parts.length > 2 ? parts[1] : parts[0]
  if (subject === undefined || subject === 'user') return 'Account'
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

export function ScopePicker({
  label,
  help,
  offered = scopeNames,
  wordsOf = (scope) => scopes[scope].words,
  value,
  onChange,
  error,
}: {
  label: string
  help: string
  /** What can be chosen; everything, unless said. */
  offered?: readonly Scope[]
  /** How each is said; as to its owner, unless said. */
  wordsOf?: (scope: Scope) => string
  value: readonly string[]
  onChange: (scopes: string[]) => void
  error: string | undefined
}) {
  const groups = Object.entries(Object.groupBy(offered, subjectOf))
  const hasAll = offered.every((scope) => value.includes(scope))
  return (
    <FieldGroup
      label={label}
      help={help}
      error={error}
      aside={
        <button
          type="button"
          onClick={() => onChange(hasAll ? [] : [...offered])}
          className="rounded-control text-sm font-medium text-accent-text hover:underline"
        >
          {hasAll ? 'Choose none' : 'Choose all'}
        </button>
      }
    >
      <div className="grid gap-x-8 gap-y-5 pt-1 sm:grid-cols-2">
        {groups.map(([subject, members = []]) => (
          <div key={subject} className="flex flex-col gap-2">
            <span className="text-sm font-medium text-soft">{subject}</span>
            {members.map((scope) => (
              <Checkbox
                key={scope}
                label={wordsOf(scope)}
                help={<span className="font-mono text-xs">{scope}</span>}
                checked={value.includes(scope)}
                onChange={(event) =>
                  onChange(scopeNames.filter((name) => (name === scope ? event.target.checked : value.includes(name))))
                }
              />
            ))}
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
