/** Compares `docs/reliability.md` with the scripts, parts, columns, and files in the repository. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { parts as allParts } from "./parts.ts"
import { titles } from "./report.ts"

const root = join(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/reliability.md"), "utf8")
const parts = Object.keys(allParts("", () => undefined))

it("the reliability page names only existing scripts and parts in its commands", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const commands = Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, text = ""]) => text.trim().split("\n"))
    .flat()
  assert.isAbove(commands.length, 2)
  for (const command of commands) {
    const [, script = "", part = parts[0]] = /^(?:RELIABILITY_SEED=\d+ )?npm run (\S+)(?: -- (\S+))?$/.exec(command) ??
      []
    assert.property(scripts, script, command)
    assert.include(parts, part, command)
  }
})

it("the reliability page lists every part and every report column", () => {
  const listedParts = Array.from(page.matchAll(/^\| `([a-z-]+)` \|/gm), ([, name]) => name)
  assert.deepStrictEqual(listedParts, parts)
  assert.include(page, `| ${titles.join(" | ")} |`)
})

it("the reliability page names existing files", () => {
  for (const [, path = ""] of page.matchAll(/`(test\/[^`]+)`/g)) assert.isTrue(existsSync(join(root, path)), path)
})
