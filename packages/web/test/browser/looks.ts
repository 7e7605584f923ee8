/** Defines the checks that every page must pass in light and dark mode and at every width. */
import type axe from "axe-core"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { assert } from "vitest"

/**
 * The minified build of axe. The full build, which `axe-core` exports, takes three times as long to send and compile.
 */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Findings {
  /** Violations that axe reports, one sentence each. */
  readonly violations: ReadonlyArray<string>
  /** How much wider the content is than the window, in pixels. */
  readonly overflow: number
}

/**
 * Runs inside the page, so it cannot use anything from this module. If the content and its layout are the same as in
 * light mode, only the color rules run in dark mode, because the other rules would have the same result.
 */
const findingsNow = async (isDark: boolean): Promise<Findings> => {
  const world = globalThis as unknown as { readonly axe: typeof axe; lightLayout?: string }
  const boxes = Array.from(document.querySelectorAll("*"), (element) => {
    const { height, width, x, y } = element.getBoundingClientRect()
    return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })].join()
  })
  const layout = [document.documentElement.outerHTML, ...boxes].join("\n")
  const isKnown = isDark && layout === world.lightLayout
  if (!isDark) world.lightLayout = layout
  const skippedRules = isKnown ? world.axe.getRules().filter(({ tags }) => !tags.includes("cat.color")) : []
  const { violations } = await world.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: Object.fromEntries(skippedRules.map(({ ruleId }) => [ruleId, { enabled: false }])),
    resultTypes: ["violations"]
  })
  return {
    violations: violations.map(({ help, id, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth
  }
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Keeps the tabs from covering content. On a phone, the tabs cover content only until the reader scrolls, but axe
 * reports each control behind them.
 */
const unstickTabs = (): void => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(".dock { position: static !important }")
  document.adoptedStyleSheets.push(sheet)
}

export const holds = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(unstickTabs)
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(axeSource)
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const findings = await page.evaluate(findingsNow, colorScheme === "dark")
      assert.deepStrictEqual(findings, { violations: [], overflow: 0 }, `${name}, ${colorScheme}, ${width} px`)
    }
  }
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    assert.strictEqual(await overflow(page), 0, `${name}, text of twice the size, ${width} px: overflows sideways`)
  }
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"))
}
