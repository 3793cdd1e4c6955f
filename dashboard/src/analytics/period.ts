export const periods = ['1', '7', '30', '90', '365'] as const
export type Period = (typeof periods)[number]

export const periodLabels: Record<Period, string> = {
  '1': '24 hours',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': 'A year',
}

export function readPeriod(search: Record<string, unknown>): { days?: Period } {
  const days = periods.find((known) => known === search['days'])
  return days === undefined ? {} : { days }
}
