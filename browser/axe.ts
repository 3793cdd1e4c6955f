import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** No finding of axe-core, in both themes. A preview in a frame is a page of the store, tested as such. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(`localStorage.setItem('theme', '${theme}'); dispatchEvent(new Event('themechosen'))`)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    // Colours glide to the other theme; a colour on its way has no contrast to speak of.
    await expect
      .poll(() => page.evaluate(`document.getAnimations().every(({ playState }) => playState !== 'running')`))
      .toBe(true)
    const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
    expect(
      violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    ).toEqual([])
  }
}
