import type { TicketAttachment } from '@keystall/contract/shapes/ticket'
import { FileText, X } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { attachmentAddress } from './tickets.ts'

const units = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** Files of a message; pictures are shown small. */
export function Attachments({ ticketId, files }: { ticketId: string; files: readonly TicketAttachment[] }) {
  const store = useCurrentStore()
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="mt-2 flex flex-wrap gap-2">
      {files.map((file) => {
        const address = attachmentAddress(store.id, ticketId, file.id)
        return (
          <li key={file.id}>
            <a
              href={address}
              download={file.friendlyName}
              className="flex max-w-64 items-center gap-2 rounded-control border border-line bg-surface p-2 text-sm font-medium hover:bg-sunken"
            >
              {file.mediaType.startsWith('image/') ? (
                <img src={address} alt="" loading="lazy" className="size-10 shrink-0 rounded-[4px] object-cover" />
              ) : (
                <FileText aria-hidden className="size-4 shrink-0 text-soft" />
              )}
              <span className="min-w-0">
                <span className="block truncate">{file.friendlyName}</span>
                <span className="block text-xs text-soft">{sizeOf(file.bytes)}</span>
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** Files that wait to go with the reply. */
export function WaitingFiles({
  files,
  onRemove,
}: {
  files: readonly TicketAttachment[]
  onRemove: (fileId: string) => void
}) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files to be sent" className="flex flex-wrap gap-2">
      {files.map((file) => (
        <li
          key={file.id}
          className="flex max-w-64 items-center gap-1 rounded-control border border-line pl-2 text-sm font-medium"
        >
          <span className="truncate">{file.friendlyName}</span>
          <button
            type="button"
            aria-label={`Remove ${file.friendlyName}`}
            onClick={() => onRemove(file.id)}
            className="grid size-8 shrink-0 place-items-center rounded-control text-soft hover:text-text"
          >
            <X aria-hidden className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function sizeOf(bytes: number) {
  return bytes < 1_000_000 ? `${units.format(bytes / 1000)} kB` : `${units.format(bytes / 1_000_000)} MB`
}
