import type { Performer, Schedule } from '#platform/jobs/job'
import { methods } from './methods.ts'
import type { Till } from './till.ts'

export function paymentPerformers(till: Till): Performer[] {
  return methods.flatMap((method) => method.performers?.(till) ?? [])
}

export const paymentSchedules: Schedule[] = methods.flatMap((method) => method.schedules ?? [])
