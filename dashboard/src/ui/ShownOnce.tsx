import { CopyButton } from './CopyButton.tsx'
import { Notice } from './Notice.tsx'

/** A secret that we do not keep: it can be copied now and never again. */
export function ShownOnce({ secret, name }: { secret: string; name: string }) {
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="warning">Copy the {name} now. It is not shown again.</Notice>
      <output
        aria-label={name}
        className="block rounded-control bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all"
      >
        {secret}
      </output>
      <div>
        <CopyButton text={secret} label={`Copy ${name}`} />
      </div>
    </div>
  )
}
