import { Checkbox } from './Checkbox.tsx'
import { FieldGroup } from './Field.tsx'
import { RadioGroup } from './RadioGroup.tsx'

/** All stores, or some. `null` is all, those opened later included. */
export function StorePicker({
  stores,
  value,
  onChange,
  error,
}: {
  stores: readonly { id: string; name: string; url: string }[]
  value: readonly string[] | null
  onChange: (storeIds: string[] | null) => void
  error?: string | undefined
}) {
  return (
    <FieldGroup label="Stores" error={error}>
      <RadioGroup
        name="storeChoice"
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        options={[
          { value: 'all', label: 'All stores', help: 'Also those that you open later' },
          { value: 'some', label: 'Only some stores' },
        ]}
      />
      {value !== null && (
        <div className="ml-6.5 flex animate-appear flex-col gap-2 border-l border-line pl-4">
          {stores.length === 0 && <span className="text-soft">You have no store yet.</span>}
          {stores.map((store) => (
            <Checkbox
              key={store.id}
              name="storeId"
              value={store.id}
              label={<span className="wrap-anywhere">{store.name}</span>}
              help={store.url}
              checked={value.includes(store.id)}
              onChange={(event) =>
                onChange(event.target.checked ? [...value, store.id] : value.filter((storeId) => storeId !== store.id))
              }
            />
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
