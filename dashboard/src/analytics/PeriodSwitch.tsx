import { type Period, periodLabels, periods } from './period.ts'

const shortLabels: Record<Period, string> = { '1': '1d', '7': '7d', '30': '30d', '90': '90d', '365': '365d' }

export function PeriodSwitch({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <fieldset className="inline-flex rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Period</legend>
      {periods.map((period) => (
        <label
          key={period}
          title={periodLabels[period]}
          className="flex h-8 items-center rounded-[5px] px-3 font-medium text-soft tabular-nums transition-colors hover:text-text has-checked:bg-surface has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
        >
          <input
            type="radio"
            name="period"
            className="sr-only"
            aria-label={periodLabels[period]}
            checked={period === value}
            onChange={() => onChange(period)}
          />
          {shortLabels[period]}
        </label>
      ))}
    </fieldset>
  )
}
