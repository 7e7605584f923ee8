/**
 * A part of every campaign, with all other tests. `npm run test:reliability` runs them in full.
 */
import { assert, describe, it } from "vitest"
import { run } from "./campaign.ts"
import { campaigns } from "./campaigns.ts"
import { none } from "./Findings.ts"
import { reportOf, table } from "./report.ts"

const parts = campaigns(process.env["RELIABILITY_SEED"] ?? "every day")

describe("nothing that was acknowledged is lost, sold twice or left out of the feed", () => {
  it.each(Object.entries(parts))("%s", async (_, part) => {
    const result = await part((campaign) => run({ ...campaign, rounds: campaign.faults.length }))
    assert.deepStrictEqual(result.findings, none, table([reportOf(result)]))
    assert.isAbove(result.counts.acknowledged, 20)
    assert.isAbove(result.counts.retried, 0)
  }, 240_000)
})
