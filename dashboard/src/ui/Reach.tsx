import { scopeNamed, scopeNames, scopes } from '@keystall/contract/scopes'

/** How far a key goes: "8 scopes in all stores". The words of each scope unfold. */
export function Reach({ scopes: names, storeIds }: { scopes: readonly string[]; storeIds: readonly string[] | null }) {
  const stores = storeIds === null ? 'all stores' : storeIds.length === 1 ? '1 store' : `${storeIds.length} stores`
  const what =
    names.length === scopeNames.length ? 'Everything' : names.length === 1 ? '1 scope' : `${names.length} scopes`
  return (
    <details className="group max-sm:text-right">
      <summary className="inline-block list-none whitespace-nowrap rounded-control underline decoration-line-control decoration-dotted underline-offset-4 hover:decoration-current">
        {what} in {stores}
      </summary>
      <ul className="mt-2 flex animate-appear flex-col gap-1 pb-1 text-sm text-soft">
        {names.map((name) => {
          const scope = scopeNamed(name)
          return <li key={name}>{scope ? scopes[scope].words : name}</li>
        })}
      </ul>
    </details>
  )
}
