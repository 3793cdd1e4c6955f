import type { Logger } from 'pino'
import type { Config } from '#config'
import type { Db } from '#platform/db/database'
import type { Geography } from '#platform/geography/geography'
import type { Kept } from '#platform/http/kept'
import type { Limits } from '#platform/http/limits'
import type { Sender } from '#platform/outbound/sender'
import type { SecretKey } from '#platform/secrets/secret-key'
import type { Storage } from '#platform/storage/storage'

/** The machinery that modules may use, made once by the process and handed to every handler and job. */
export interface Platform {
  config: Config
  log: Logger
  db: Db
  limits: Limits
  kept: Kept
  secrets: SecretKey
  storage: Storage
  sender: Sender
  geography: Geography
}
