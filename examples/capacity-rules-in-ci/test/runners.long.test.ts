/**
 * The laws are named promises, so any test runner can run them. These tests run them the way a reader of the guide
 * would.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { laws } from "../laws.ts"

const folder = join(import.meta.dirname, "..")

const node = (...args: ReadonlyArray<string>): Promise<{ readonly failed: boolean; readonly stdout: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=@trailbook/source", "--import", "tsx", ...args],
      { cwd: folder },
      (error, stdout) => resolve({ failed: error !== null, stdout })
    )
  })

describe("node --test", () => {
  // The neighboring tests run every law, so this test covers only the runner.
  it("can select each law by name", { timeout: 180_000 }, async () => {
    const few = laws.filter(({ name }) => /^(holds|each)/.test(name))
    const { failed, stdout } = await node(
      "--test",
      "--test-reporter=tap",
      "--test-name-pattern=/^(holds|each)/",
      "capacity.node.ts"
    )
    assert.isFalse(failed, stdout)
    for (const { name } of few) assert.include(stdout, `- ${name}\n`)
    assert.include(stdout, `# pass ${few.length}\n`)
  })

  it("prints the seed and the steps that break a rule", { timeout: 60_000 }, async () => {
    const { failed, stdout } = await node("--test", "--test-reporter=spec", "test/falseRule.node.ts")
    assert.isTrue(failed)
    assert.include(stdout, "Broken: at most two guided trips start in the same hour")
    assert.include(stdout, "1. bookings.create { offering_id: \"Guided half day\"")
    assert.include(stdout, "seed: 5")
  })
})

describe("another test runner", () => {
  it("can run each law by calling its function without arguments", () => {
    for (const { run } of laws) assert.strictEqual(run.length, 0)
  })
})
