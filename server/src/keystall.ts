import { readConfig, WrongSetting } from '#config'
import { isUnavailable } from '#platform/db/database'
import { Problem } from '#problem'
import { runCommand } from './operator/commands.ts'
import { CommandMistake } from './operator/mistake.ts'

// The operator's command: beside the running server, on the same settings.
try {
  const isJson = process.argv.includes('--json')
  const words = process.argv.slice(2).filter((word) => word !== '--json')
  const printed = await runCommand(readConfig({ LOG_LEVEL: 'error', ...process.env }), words)
  console.log(isJson ? JSON.stringify(printed) : readable(printed))
  process.exit(0)
} catch (error) {
  if (isUnavailable(error))
    console.error('The database went away before this was done: nothing of it is kept, try again')
  else console.error(isExpected(error) ? explain(error) : error)
  process.exit(1)
}

function isExpected(error: unknown): error is Error {
  return error instanceof CommandMistake || error instanceof WrongSetting || error instanceof Problem
}

function explain(error: Error): string {
  const fields = error instanceof Problem ? Object.entries(error.fields) : []
  return fields.length > 0 ? fields.map(([field, reason]) => `${field} ${reason}`).join('; ') : error.message
}

function readable(printed: object): string {
  const width = Math.max(...Object.keys(printed).map((name) => name.length))
  return Object.entries(printed)
    .map(([name, value]) => `${name.padEnd(width)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}
