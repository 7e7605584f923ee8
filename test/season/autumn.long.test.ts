import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { seasonPage, shownSeed } from "./page.ts"
import { play } from "./play.ts"
import { seasons } from "./seasons.ts"

it("a season that lasts into November breaks no rule", async () => {
  for (const seed of new Set([shownSeed, ...seasons("odd", 1)])) {
    const season = await play(seed)
    assert.deepStrictEqual(season.broken.slice(0, 5), [], `seed ${seed}`)
    if (seed !== shownSeed) continue
    const page = readFileSync(join(import.meta.dirname, "../../docs/reference/season.md"), "utf8")
    assert.strictEqual(page, seasonPage(season), "run npm run docs to update the page")
  }
}, 3_600_000)
