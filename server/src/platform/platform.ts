import type { Logger } from 'pino'
import type { Config } from '#config'

/** The machinery that modules may use, made once by the process and handed to every handler and job. */
export interface Platform {
  config: Config
  log: Logger
}
