import { Section } from '../ui/Card.tsx'
import { Field } from '../ui/Field.tsx'
import { MarkdownInput } from '../ui/MarkdownInput.tsx'
import { TextInput } from '../ui/TextInput.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'

export function TextsPage() {
  return (
    <SettingsFrame words="Terms and privacy have pages of their own, linked from the foot of every page.">
      <SettingsForm>
        {(form) => (
          <Section title="Legal texts" words="In markdown. An empty one has no page.">
            <div className="flex flex-col gap-6">
              <Field label="Terms of service" error={form.errorOf('termsOfService')}>
                <MarkdownInput
                  rows={10}
                  value={form.values.termsOfService}
                  onValue={(text) => form.set('termsOfService', text)}
                />
              </Field>
              <Field label="Privacy policy" error={form.errorOf('privacyPolicy')}>
                <MarkdownInput
                  rows={10}
                  value={form.values.privacyPolicy}
                  onValue={(text) => form.set('privacyPolicy', text)}
                />
              </Field>
              <Field label="Copyright" error={form.errorOf('copyright')} help="At the foot of every page.">
                <TextInput maxLength={1000} {...form.text('copyright')} />
              </Field>
            </div>
          </Section>
        )}
      </SettingsForm>
    </SettingsFrame>
  )
}
