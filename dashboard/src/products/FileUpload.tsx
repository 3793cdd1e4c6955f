import type { Product } from '@keystall/contract/shapes/product'
import { useMutation } from '@tanstack/react-query'
import { FileDown, Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { DropZone } from '../ui/DropZone.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Progress } from '../ui/Progress.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { toast } from '../ui/Toast.tsx'
import { type UploadState, useFileUpload } from './file-upload.ts'
import { type ProductPath, removeFile } from './products.ts'

export function FileUpload({ path, files }: { path: ProductPath; files: Product['files'] }) {
  const { state, start, pause, cancel } = useFileUpload(path)
  const [file] = files
  const [isRemoving, setIsRemoving] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium">File</span>
      {file && (
        <div className="flex items-center gap-3 rounded-control border border-line py-1.5 pr-1.5 pl-3">
          <FileDown aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 truncate" title={file.friendlyName}>
            {file.friendlyName}
          </span>
          <span className="text-sm text-soft">
            <RelativeTime at={file.dateCreated} />
          </span>
          <Button shape="dangerQuiet" onClick={() => setIsRemoving(true)}>
            Remove
          </Button>
        </div>
      )}
      {state.phase === 'idle' ? (
        <DropZone
          act={file ? 'Replace file' : 'Upload file'}
          words={
            file ? 'A new file takes its place once it is here.' : 'Drop a file here. Every buyer can download it.'
          }
          onFiles={([chosen]) => chosen && void start(chosen)}
        />
      ) : (
        <UnderWay state={state} onPause={pause} onGoOn={() => void start(state.file)} onCancel={() => void cancel()} />
      )}
      {isRemoving && file && <RemoveDialog path={path} file={file} onClose={() => setIsRemoving(false)} />}
    </div>
  )
}

function UnderWay({
  state,
  onPause,
  onGoOn,
  onCancel,
}: {
  state: Exclude<UploadState, { phase: 'idle' }>
  onPause: () => void
  onGoOn: () => void
  onCancel: () => void
}) {
  const { file, sentBytes, phase, failure } = state
  const share = file.size === 0 ? 0 : sentBytes / file.size
  const isAtEnd = phase === 'sending' && sentBytes >= file.size
  return (
    <div className="flex flex-col gap-2 rounded-card border border-line p-3">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium" title={file.name}>
          {file.name}
        </span>
        {phase === 'sending' ? (
          <Button shape="quiet" onClick={onPause}>
            <Pause aria-hidden />
            Pause
          </Button>
        ) : (
          <Button onClick={onGoOn}>
            <Play aria-hidden />
            Go on
          </Button>
        )}
        <Button shape="quiet" aria-label="Cancel upload" onClick={onCancel}>
          <X aria-hidden />
        </Button>
      </div>
      <Progress label={`Upload of ${file.name}`} share={share} />
      <span className="text-sm text-soft tabular-nums">
        {isAtEnd
          ? 'Putting it together'
          : `${megabytes(sentBytes)} of ${megabytes(file.size)} MB${phase === 'paused' ? ', paused' : ''}`}
      </span>
      {failure !== undefined && (
        <Notice kind="danger">
          {failure} What has arrived is kept for 24 hours: go on, or choose the same file again later.
        </Notice>
      )}
    </div>
  )
}

function megabytes(bytes: number) {
  return (bytes / 1e6).toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

function RemoveDialog({
  path,
  file,
  onClose,
}: {
  path: ProductPath
  file: Product['files'][number]
  onClose: () => void
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeFile(path, file.id),
    onSuccess: () => {
      toast('File removed')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${file.friendlyName}?`}
      act="Remove file"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Customers who bought it can no longer download it. To give them a newer one, replace it instead.
    </ConfirmDialog>
  )
}
