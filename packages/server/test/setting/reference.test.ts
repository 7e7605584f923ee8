import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { renderSettingsReference } from "../../src/setting/renderSettingsReference.ts"
import { settingEntries } from "../../src/setting/settings.ts"

const file = join(import.meta.dirname, "../../../../docs/reference/settings.md")

it("docs/reference/settings.md matches the settings table (trailbook help --markdown writes it)", () => {
  expect(readFileSync(file, "utf8")).toBe(renderSettingsReference())
})

it("the settings reference lists every setting that has a variable, with its flag", () => {
  const settings = settingEntries.filter(([, { env }]) => env.length > 0)
  expect(settings.length).toBeGreaterThan(40)
  for (const [name, { env, flag }] of settings) {
    for (const word of [`--${flag}`, ...env]) expect(renderSettingsReference(), name).toContain(`\`${word}\``)
  }
})
