import type { Platform } from '#platform/platform'
import { createDemo } from './operator/demo.ts'

/** What the operator reads once everything runs. */
export async function greeting(platform: Platform, startMs: number): Promise<string> {
  const { config } = platform
  const demo = config.isDemoOn ? await createDemo(platform) : undefined
  const lines = [
    `Keystall is ready, ${(startMs / 1000).toFixed(2)} s after the start.`,
    '',
    ...(demo ? [`  Demo store  ${demo.storeUrl}`] : []),
    `  Dashboard   ${config.dashUrl.origin}${demo ? `   sign in as ${demo.email} with ${demo.password}` : ''}`,
    `  API         ${config.apiUrl.origin}`,
    ...(config.isMailPageOn ? [`  Mails       ${config.dashUrl.origin}/development/mails`] : []),
    '',
    '  Ctrl-C stops it.',
  ]
  return lines.join('\n')
}
