import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rest of a page is the same in both themes. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** No finding of axe-core, in both themes. A preview in a frame is a page of the store, tested as such. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours glide to the other theme unless no motion is wanted; a colour on its way has no contrast to speak of.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate(`localStorage.setItem('theme', '${theme}'); dispatchEvent(new Event('themechosen'))`)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await expect
      .poll(() => page.evaluate(`document.getAnimations().every(({ playState }) => playState !== 'running')`), {
        intervals: [20, 50, 100],
      })
      .toBe(true)
    // Frames are left out, so the way without a second page will do.
    const axe = new AxeBuilder({ page }).exclude('iframe').setLegacyMode()
    const { violations } = await (theme === 'dark' ? axe.withRules(rulesOfColour) : axe).analyze()
    expect
      .soft(
        violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
      )
      .toEqual([])
  }
  await page.emulateMedia({ reducedMotion: null })
}

/** The same of a page of a store, whose theme is the system's, on a phone: and nothing is wider than that. */
export async function expectSound(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).setLegacyMode()
    const { violations } = await (colorScheme === 'dark' ? axe.withRules(rulesOfColour) : axe).analyze()
    const found = violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html.slice(0, 160)}`)
    expect.soft(found, name).toEqual([])
  }
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect.soft(wide, `${name}: wider than the screen`).toBeLessThanOrEqual(0)
}
