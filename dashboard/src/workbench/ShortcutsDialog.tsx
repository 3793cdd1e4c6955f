import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useSections } from './use-sections.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { sections } = useSections()
  const pages = sections.flatMap(({ links }) =>
    links.flatMap(({ goKey, label }) => (goKey === undefined ? [] : [{ keys: ['g', goKey], words: label }])),
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Group
        title="Anywhere"
        shortcuts={[
          { keys: [isApple ? '⌘' : 'Ctrl', 'K'], words: 'Search and act' },
          { keys: ['?'], words: 'This list' },
          { keys: ['Esc'], words: 'Close what floats' },
        ]}
      />
      <Group
        title="In a list"
        shortcuts={[
          { keys: ['j'], words: 'Next row' },
          { keys: ['k'], words: 'Row before' },
          { keys: ['Enter'], words: 'Open the row' },
          { keys: ['/'], words: 'Search the list' },
        ]}
      />
      <Group
        title="In a ticket"
        shortcuts={[
          { keys: ['r'], words: 'Reply' },
          { keys: [isApple ? '⌘' : 'Ctrl', 'Enter'], words: 'Send the reply' },
        ]}
      />
      <Group title="Go to" shortcuts={pages} />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: { keys: string[]; words: string }[] }) {
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-xs font-medium text-soft">{title}</h3>
      <dl className="sm:columns-2 sm:gap-8">
        {shortcuts.map(({ keys, words }) => (
          <div key={words} className="flex h-8 break-inside-avoid items-center justify-between gap-4">
            <dt>{words}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="grid h-6 min-w-6 place-items-center rounded-[4px] border border-line-control/60 bg-sunken px-1.5 font-sans text-xs font-medium"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
