import { useSuspenseQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { ThemeSwitch } from '../ui/ThemeSwitch.tsx'
import { accountQuery, leave } from './account.ts'
import { EmailSection } from './EmailSection.tsx'
import { LiveSection } from './LiveSection.tsx'
import { MembershipsSection } from './MembershipsSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { ReferralSection } from './ReferralSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { TwoFactorSection } from './TwoFactorSection.tsx'

export function AccountPage() {
  const { data: account } = useSuspenseQuery(accountQuery)
  return (
    <Page
      title="Account"
      words="Who you are here, and how you get in."
      act={
        // On a phone there is no account menu.
        <Button className="md:hidden" onClick={() => void leave()}>
          <LogOut aria-hidden />
          Sign out
        </Button>
      }
    >
      <div className="flex flex-col gap-10">
        <ProfileSection account={account} />
        <EmailSection account={account} />
        <PasswordSection account={account} />
        <TwoFactorSection account={account} />
        <SessionsSection />
        <MembershipsSection account={account} />
        <ReferralSection account={account} />
        <LiveSection />
        <Section title="Appearance" words="In this browser.">
          <ThemeSwitch />
        </Section>
      </div>
    </Page>
  )
}
