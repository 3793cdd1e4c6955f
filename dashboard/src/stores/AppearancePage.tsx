import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { Section } from '../ui/Card.tsx'
import { ColourInput } from '../ui/ColourInput.tsx'
import { DropZone } from '../ui/DropZone.tsx'
import { Field, FieldGroup } from '../ui/Field.tsx'
import { Monogram } from '../ui/Monogram.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Progress } from '../ui/Progress.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TextArea } from '../ui/TextInput.tsx'
import { toast } from '../ui/Toast.tsx'
import { useCurrentStore } from './current-store.ts'
import { SettingsForm, type StoreFormState } from './SettingsForm.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { removeLogo, replaceLogo, settingsQuery } from './settings.ts'

const themes = [
  { value: 'cards', label: 'Cards', help: 'A grid of pictures, for a dozen products.' },
  { value: 'list', label: 'List', help: 'Compact rows, for shops with many keys.' },
  { value: 'showcase', label: 'Showcase', help: 'One product in front, the rest behind it.' },
]

const colours = [
  { name: 'accentColor', label: 'Accent', what: 'primary buttons and inputs' },
  { name: 'buttonColor', label: 'Buttons', what: 'all buttons' },
  { name: 'backgroundColor', label: 'Background', what: 'the page' },
  { name: 'cardBackgroundColor', label: 'Cards', what: 'cards' },
  { name: 'navigationColor', label: 'Navigation', what: 'the navigation' },
] as const

export function AppearancePage() {
  return (
    <SettingsFrame words="How the store looks. Texts stay readable on whatever colour you choose.">
      <SettingsForm>
        {(form) => (
          <>
            <LogoSection />
            <ThemeSection form={form} />
            <ColourSection form={form} />
          </>
        )}
      </SettingsForm>
    </SettingsFrame>
  )
}

function LogoSection() {
  const store = useCurrentStore()
  const settings = useQuery(settingsQuery(store.id))
  const [share, setShare] = useState<number>()
  const upload = useMutation({
    mutationFn: (file: File) => replaceLogo(store.id, file, (bytes) => setShare(bytes / file.size)),
    onSuccess: () => toast('Logo saved'),
    onSettled: () => setShare(undefined),
  })
  const remove = useMutation({ mutationFn: () => removeLogo(store.id), onSuccess: () => toast('Logo removed') })
  const logo = settings.data?.profileImage?.split('/').at(-1)
  const failure = upload.error ?? remove.error
  return (
    <Section title="Logo" words="Saved at once.">
      <div className="flex flex-col gap-4">
        {failure && <Notice kind="danger">{reasonOf(failure)}</Notice>}
        <div className="flex items-center gap-4">
          {logo === undefined ? (
            <Monogram name={store.name} isLarge />
          ) : (
            <>
              <img
                src={`/images/${logo}?width=160`}
                alt="Logo"
                width={56}
                height={56}
                className="size-14 rounded-control border border-line object-contain"
              />
              <Button shape="dangerQuiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
                Remove logo
              </Button>
            </>
          )}
        </div>
        {share !== undefined && <Progress label="Upload of the logo" share={share} />}
        <DropZone
          act={logo === undefined ? 'Upload logo' : 'Replace logo'}
          words="Drop PNG, JPG, WebP or GIF here, at most 5 MB."
          accept="image/png,image/jpeg,image/webp,image/gif"
          isDisabled={upload.isPending}
          onFiles={([file]) => file && upload.mutate(file)}
        />
      </div>
    </Section>
  )
}

function reasonOf(error: unknown) {
  const { message, invalidFields } = failureOf(error)
  const [first] = invalidFields
  return first ? `The picture ${first.reason}.` : message
}

function ThemeSection({ form }: { form: StoreFormState }) {
  return (
    <Section title="Theme">
      <div className="flex flex-col gap-6">
        <FieldGroup label="Layout" error={form.errorOf('themeName')}>
          <RadioGroup
            name="themeName"
            value={form.values.themeName}
            options={themes}
            onChange={(theme) => form.set('themeName', theme)}
          />
        </FieldGroup>
        <Switch
          label="Always dark"
          help="Off: as each visitor's system has it."
          isOn={form.values.isForcingDarkMode}
          onChange={(isOn) => form.set('isForcingDarkMode', isOn)}
        />
      </div>
    </Section>
  )
}

function ColourSection({ form }: { form: StoreFormState }) {
  return (
    <Section title="Colours">
      <div className="flex flex-col gap-6">
        <div className="grid gap-6 sm:grid-cols-2">
          {colours.map(({ name, label, what }) => (
            <Field key={name} label={label} error={form.errorOf(name)}>
              <ColourInput name={what} value={form.values[name]} onChange={(colour) => form.set(name, colour)} />
            </Field>
          ))}
        </div>
        <Field
          label="Theme properties"
          error={form.errorOf('themeProperties')}
          help="Settings of the theme's own that your integrations read, a line each: name = value."
        >
          <TextArea rows={2} spellCheck={false} className="font-mono text-sm" {...form.text('themeProperties')} />
        </Field>
      </div>
    </Section>
  )
}
