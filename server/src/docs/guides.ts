import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#config'

export interface Guide {
  name: string
  title: string
  source: string
}

let read: Guide[] | undefined

/** In the order of the numbers that their files begin with. */
export function guides(): Guide[] {
  const folder = join(projectFolder, 'docs/guides')
  read ??= readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const source = readFileSync(join(folder, file), 'utf8')
      const [, title = file] = /^# (.*)$/m.exec(source) ?? []
      return { name: file.replace(/^\d+-|\.md$/g, ''), title, source }
    })
  return read
}
