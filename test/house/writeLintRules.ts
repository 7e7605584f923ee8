/** `npm run lint:rules`: writes the list of imports to the linter settings. */
import { readFileSync, writeFileSync } from "node:fs"
import { imports } from "./imports.ts"
import { type Override, overrides } from "./lintRules.ts"

const file = new URL("../../.oxlintrc.json", import.meta.url)
const settings = JSON.parse(readFileSync(file, "utf8")) as { readonly overrides: ReadonlyArray<Override> }
writeFileSync(
  file,
  `${JSON.stringify({ ...settings, overrides: overrides(imports, settings.overrides) }, undefined, 2)}\n`
)
