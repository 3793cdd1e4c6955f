const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "2 hours ago", with the exact time in the reader's zone on hover; older than a month, the date. */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {inWords(date)}
    </time>
  )
}

function inWords(date: Date) {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return day.format(date)
  const step = steps.find(([, length]) => Math.abs(seconds) >= length)
  return step ? words.format(Math.trunc(seconds / step[1]), step[0]) : seconds > 0 ? 'in a moment' : 'just now'
}
