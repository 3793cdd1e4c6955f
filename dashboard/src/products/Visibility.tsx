import { Status } from '../ui/Status.tsx'

export const visibilityOptions = [
  { value: '0', label: 'Public', help: 'Listed in the store, for everybody.' },
  { value: '1', label: 'Unlisted', help: 'For whoever has its address.' },
  { value: '2', label: 'Private', help: 'For you alone; not for sale.' },
] as const

const states = [
  { kind: 'success', label: 'Public' },
  { kind: 'information', label: 'Unlisted' },
  { kind: 'neutral', label: 'Private' },
  { kind: 'danger', label: 'On hold' },
] as const

export function Visibility({ visibility }: { visibility: number }) {
  const state = states[visibility] ?? states[2]
  return <Status kind={state.kind}>{state.label}</Status>
}
