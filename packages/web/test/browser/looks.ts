/** Checks that every page must pass in light and dark mode and at every width. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { assert } from "vitest"

/** Violations that axe reports, one sentence each. */
const objections = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    })
  )
  return violations.map(({ help, id, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`)
}

/** The horizontal overflow in pixels. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export const holds = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: 900 })
      const said = `${name}, ${colorScheme}, ${width} px`
      assert.deepStrictEqual(await objections(page), [], said)
      assert.strictEqual(await sideways(page), 0, `${said}: can be moved sideways`)
    }
  }
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    assert.strictEqual(await sideways(page), 0, `${name}, text of twice the size, ${width} px: can be moved sideways`)
  }
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"))
}
