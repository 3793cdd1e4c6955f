import { Download } from 'lucide-react'
import { Button, buttonClass } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Notice } from '../ui/Notice.tsx'

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog title="Keep your recovery codes" onClose={() => undefined}>
      <p className="text-soft">Each signs you in once when your phone is not at hand. Keep them where only you look.</p>
      <Notice kind="warning">They are not shown again.</Notice>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <a
          className={buttonClass('secondary')}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="keystall-recovery-codes.txt"
        >
          <Download aria-hidden />
          Download codes
        </a>
      </div>
      <DialogButtons>
        <Button shape="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
