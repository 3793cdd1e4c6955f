import { performers, schedules, watches } from '../../server/src/background.ts'
import { pruningFailed } from '../../server/src/platform/jobs/runner.ts'

/** Everything that works in the background, by its name. */
export const workers = [
  ...[...performers, pruningFailed].map((worker) => ({ name: worker.job.name, worker })),
  ...watches.map((worker) => ({ name: worker.name, worker })),
]

/** Those whose turn comes again and again. */
export const scheduled = [...schedules.map(({ job }) => job.name), pruningFailed.job.name]
