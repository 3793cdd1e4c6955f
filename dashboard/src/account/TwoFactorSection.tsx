import type { Account } from '@keystall/contract/shapes/account'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Status } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import { disableTwoFactor, makeRecoveryCodes } from './security.ts'
import { ProveDialog } from './ProveDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { TwoFactorSetup } from './TwoFactorSetup.tsx'

type Step = 'none' | 'set-up' | 'switch-off' | 'new-codes'

export function TwoFactorSection({ account }: { account: Account }) {
  const [step, setStep] = useState<Step>('none')
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const close = () => setStep('none')
  return (
    <Section id="two-factor" title="Two-factor" words="A code from your phone besides the password.">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {account.isTwoFactorEnabled ? <Status kind="success">On</Status> : <Status kind="neutral">Off</Status>}
            {account.isTwoFactorEnabled && <span className="text-soft">{codesLeft(account.recoveryCodesLeft)}</span>}
          </span>
          <span className="flex flex-wrap gap-2">
            {account.isTwoFactorEnabled ? (
              <>
                <Button onClick={() => setStep('new-codes')}>Make new recovery codes</Button>
                <Button shape="dangerQuiet" onClick={() => setStep('switch-off')}>
                  Switch off
                </Button>
              </>
            ) : (
              <Button onClick={() => setStep('set-up')}>Switch on two-factor</Button>
            )}
          </span>
        </div>
        {account.isTwoFactorEnabled && account.recoveryCodesLeft < 3 && (
          <Notice kind="warning">Few recovery codes are left. Make new ones before you need them.</Notice>
        )}
      </div>
      {step === 'set-up' && <TwoFactorSetup onClose={close} onEnabled={setRecoveryCodes} />}
      {step === 'switch-off' && (
        <ProveDialog
          title="Switch off two-factor?"
          words="Your password alone will then be enough to sign in. The recovery codes end too."
          act="Switch off two-factor"
          isDangerous
          isCodeAsked
          send={disableTwoFactor}
          onSent={() => {
            close()
            toast('Two-factor is off')
          }}
          onClose={close}
        />
      )}
      {step === 'new-codes' && (
        <ProveDialog
          title="Make new recovery codes"
          words="The codes that you have now end at once."
          act="Make new codes"
          isCodeAsked
          send={makeRecoveryCodes}
          onSent={(made) => {
            close()
            setRecoveryCodes(made.recoveryCodes)
          }}
          onClose={close}
        />
      )}
      {recoveryCodes && <RecoveryCodesDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(undefined)} />}
    </Section>
  )
}

function codesLeft(count: number) {
  return count === 1 ? '1 recovery code left' : `${count} recovery codes left`
}
