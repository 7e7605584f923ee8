import { assert, describe, it } from "vitest"
import { installedPrograms } from "../postgres/program.ts"
import { noFindings } from "../reliability/Findings.ts"
import { reportOf, table } from "../reliability/report.ts"
import { failover } from "./failover.ts"

const programs = await installedPrograms()

describe.skipIf(programs === undefined && process.env["CI"] === undefined)("a switchover to a standby", () => {
  it("loses no change or event, and sells nothing twice", async () => {
    const result = await failover({ switchovers: 2, seed: process.env["RELIABILITY_SEED"] ?? "every day" })
    assert.deepStrictEqual(result.findings, noFindings, table([reportOf(result)]))
    assert.isAbove(result.counts.acknowledged, 20)
    assert.isAbove(result.counts.retried, 0)
  }, 240_000)
})
