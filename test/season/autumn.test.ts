import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { isLong } from "../runs.ts"
import { seasonPage, shown } from "./page.ts"
import { play } from "./play.ts"

it("a season into November breaks no rule, whatever the weather, the guests and the owner do", async () => {
  const seeds = isLong ? Array.from({ length: 100 }, (_, at) => 2 * at + 1) : [shown]
  for (const seed of seeds) {
    const season = await play(seed)
    assert.deepStrictEqual(season.broken.slice(0, 5), [], `seed ${seed}`)
    if (seed !== shown) continue
    const page = readFileSync(join(import.meta.dirname, "../../docs/reference/season.md"), "utf8")
    assert.strictEqual(page, seasonPage(season), "npm run docs writes it again")
  }
}, 3_600_000)
