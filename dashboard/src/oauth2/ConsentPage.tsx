import type { Consent } from '@keystall/contract/shapes/app'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Doorway } from '../ui/Doorway.tsx'
import { SkeletonForm } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { StorePicker } from '../ui/StorePicker.tsx'
import { ConsentRefused } from './ConsentRefused.tsx'
import { consentQuery } from './consent.ts'
import { SignedInAs } from './SignedInAs.tsx'

const route = getRouteApi('/oauth2/$appId')

export function ConsentPage() {
  const { appId } = route.useParams()
  const { isAmbiguous, ...asked } = route.useSearch()
  const consent = useQuery({ ...consentQuery(appId, asked), enabled: !isAmbiguous })
  if (isAmbiguous) return <ConsentRefused message="The link names a parameter twice." />
  if (consent.isError) return <ConsentRefused message={failureOf(consent.error).message} />
  if (consent.isPending) {
    return (
      <Doorway title="An app asks for access" isWide>
        <SkeletonForm fields={2} />
      </Doorway>
    )
  }
  return <ConsentForm consent={consent.data} />
}

/**
 * A plain form post, not a call: the server answers with the redirect to the app, and the page's policy names where it
 * may lead.
 */
function ConsentForm({ consent }: { consent: Consent }) {
  const { app, scopes, stores, redirectUrl, state, codeChallenge, formToken, grantedScopes } = consent
  const [storeIds, setStoreIds] = useState<string[] | null>(null)
  const [isAskedWhich, setIsAskedWhich] = useState(false)
  const isMissingStores = storeIds?.length === 0

  function check(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent : { submitter: null }
    const isDenial = submitter instanceof HTMLButtonElement && submitter.value === 'deny'
    if (!isMissingStores || isDenial) return
    event.preventDefault()
    setIsAskedWhich(true)
  }

  return (
    <Doorway
      title={`Let ${app.name} into your account?`}
      words={
        <>
          <strong className="font-semibold text-text wrap-anywhere">{app.name}</strong> is made by{' '}
          <strong className="font-semibold text-text wrap-anywhere">{app.owner}</strong>, not by us.
        </>
      }
      isWide
      below={<SignedInAs />}
    >
      <form method="post" action={`/oauth2/${app.id}`} onSubmit={check} className="flex flex-col gap-6">
        <input type="hidden" name="formToken" value={formToken} />
        <input type="hidden" name="redirectUrl" value={redirectUrl} />
        {state !== null && <input type="hidden" name="state" value={state} />}
        {codeChallenge !== null && <input type="hidden" name="codeChallenge" value={codeChallenge} />}
        {storeIds === null && <input type="hidden" name="stores" value="all" />}
        <section className="flex flex-col gap-3">
          <h2 className="text-base">It will be able to</h2>
          <ul className="flex flex-col gap-2.5">
            {scopes.map(({ name, words }) => (
              <li key={name} className="flex items-start gap-2.5">
                <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
                <span className="min-w-0 flex-1" title={name}>
                  {words}
                </span>
                {grantedScopes.length > 0 && !grantedScopes.includes(name) && <Status kind="warning">New</Status>}
              </li>
            ))}
          </ul>
        </section>
        <StorePicker
          stores={stores}
          value={storeIds}
          onChange={setStoreIds}
          error={isAskedWhich && isMissingStores ? 'Choose at least one store, or all' : undefined}
        />
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-2 gap-3">
            <Button type="submit" name="decision" value="deny">
              Deny
            </Button>
            <Button type="submit" name="decision" value="authorize" shape="primary">
              Authorize
            </Button>
          </div>
          <p className="text-center text-sm text-soft">
            You will be sent to <span className="font-medium wrap-anywhere text-text">{hostOf(redirectUrl)}</span>. You
            can disconnect the app at any time.
          </p>
        </div>
      </form>
    </Doorway>
  )
}

function hostOf(address: string) {
  return URL.parse(address)?.host ?? address
}
