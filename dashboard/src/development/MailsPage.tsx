import type { Mail } from '@keystall/contract/shapes/mail'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Card } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { NotFoundPage } from '../ui/NotFoundPage.tsx'
import { Page } from '../ui/Page.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { textLink } from '../ui/text-link.ts'
import { mailsQuery } from './mails.ts'

/** On a developer's machine mails are kept instead of sent; here they are read. Elsewhere there is no such page. */
export function MailsPage() {
  const mails = useQuery(mailsQuery)
  if (mails.isError && failureOf(mails.error).code === 'NotFound') return <NotFoundPage />
  return (
    <main>
      <Page title="Mails" words="Kept here instead of sent, as no mail server is set up. Newest first.">
        {mails.isPending ? (
          <SkeletonRows />
        ) : mails.isError ? (
          <ErrorState error={mails.error} onRetry={() => void mails.refetch()} />
        ) : mails.data.length === 0 ? (
          <EmptyState
            icon={Inbox}
            title="No mails yet"
            words="Sign up or ask for a new password, and it arrives here."
          />
        ) : (
          <MailReader mails={mails.data} />
        )}
      </Page>
    </main>
  )
}

function MailReader({ mails }: { mails: readonly Mail[] }) {
  const [chosenId, setChosenId] = useState<string>()
  const chosen = mails.find((mail) => mail.id === chosenId) ?? mails[0]
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[320px_minmax(0,1fr)]">
      <Card className="max-h-72 overflow-y-auto p-1.5 lg:max-h-[70dvh]">
        <ul>
          {mails.map((mail) => (
            <li key={mail.id}>
              <button
                type="button"
                aria-current={mail.id === chosen?.id}
                onClick={() => setChosenId(mail.id)}
                className="flex w-full flex-col rounded-control px-3 py-2 text-left hover:bg-sunken aria-[current=true]:bg-accent-soft"
              >
                <span className="truncate font-medium">{mail.subject}</span>
                <span className="flex justify-between gap-3 text-sm text-soft">
                  <span className="truncate">{mail.to}</span>
                  <RelativeTime at={mail.dateCreated} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
      {chosen && (
        <Card>
          <article>
            <header className="flex flex-col gap-1 border-b border-line p-4 sm:px-6">
              <h2 className="text-lg wrap-anywhere">{chosen.subject}</h2>
              <p className="text-sm text-soft wrap-anywhere">
                To {chosen.to}, <RelativeTime at={chosen.dateCreated} />
              </p>
            </header>
            <p className="p-4 wrap-anywhere whitespace-pre-wrap sm:p-6">
              {chosen.text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
                index % 2 === 1 ? (
                  <a key={part} href={part} className={textLink}>
                    {part}
                  </a>
                ) : (
                  part
                ),
              )}
            </p>
          </article>
        </Card>
      )}
    </div>
  )
}
