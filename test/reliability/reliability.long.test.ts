/** Runs one round of each fault in every campaign. `npm run test:reliability` runs them in full. */
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { run } from "./campaign.ts"
import { aDayApart, campaigns } from "./campaigns.ts"
import { stall } from "./fault.ts"
import { noFindings } from "./Findings.ts"
import { reportOf, table } from "./report.ts"
import { createOrg } from "./ServerProcess.ts"
import { sqlite, type Target } from "./Target.ts"

const parts = campaigns(process.env["RELIABILITY_SEED"] ?? "every day")

describe("loses no change or event, and sells nothing twice", () => {
  it.each(Object.entries(parts))("%s", async (_, part) => {
    const result = await part((campaign) => run({ ...campaign, rounds: campaign.faults.length }))
    assert.deepStrictEqual(result.findings, noFindings, table([reportOf(result)]))
    assert.isAbove(result.counts.acknowledged, 20)
    assert.isAbove(result.counts.retried, 0)
  }, 240_000)
})

it("control: sells spots twice if clocks differ and places record no expiry", async () => {
  const target = await sqlite()
  try {
    await createOrg(target.url)
    await forgetting(target)
    const result = await run({
      name: "control",
      target,
      servers: 2,
      clocksOffMillis: aDayApart,
      // Chance decides which round first sells a place twice. That round ends the campaign.
      rounds: 25,
      seed: "every day",
      faults: [stall]
    })
    assert.isAbove(result.findings.double.length, 0)
  } finally {
    await target.close()
  }
}, 240_000)

/** Resets `judged_at` after every update, so that servers no longer agree on the time used to judge holds. */
const forgetting = ({ storage }: Target): Promise<void> =>
  Effect.runPromise(Effect.provide(
    Effect.flatMap(Database, ({ write }) =>
      Effect.forEach(["offerings", "sessions"], (table) =>
        write(`create trigger forget_${table} after update of judged_at on ${table} when new.judged_at <> 0 begin
          update ${table} set judged_at = 0 where org_id = new.org_id and id = new.id;
        end`), { discard: true })),
    storage
  ))
