import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@keystall/contract/endpoints/index'
import { openapiPieces } from '../server/src/platform/http/openapi.ts'

// Prints the API description as the server does, and has Redocly judge it. A warning is a failure.
const folder = mkdtempSync(join(tmpdir(), 'keystall-openapi-'))
const file = join(folder, 'openapi.json')
writeFileSync(file, [...openapiPieces(endpoints)].join(''))
const { status, stdout, stderr } = spawnSync('redocly', ['lint', '--extends', 'recommended', file], {
  encoding: 'utf8',
})
rmSync(folder, { recursive: true })
const isClean = status === 0 && !/You have \d+ warning/.test(stdout + stderr)
if (!isClean) console.log(stdout, stderr)
process.exit(isClean ? 0 : 1)
