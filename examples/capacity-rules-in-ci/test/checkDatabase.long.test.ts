/** Runs the checker on a database file that the laws have written to, before and after tampering with it. */
import { OrgStore } from "@trailbook/core/org"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { capacityLaws } from "@trailbook/rules"
import * as Sqlite from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { offerings } from "../outfit.ts"

const folder = join(import.meta.dirname, "..")

/** Empties the last booking event of each org, which no service ever does. */
const tamper: Effect.Effect<void, never, Storage> = Effect.gen(function*() {
  const log = yield* EventLog
  const { run } = yield* UnitOfWork
  for (const { id } of yield* (yield* OrgStore).all) {
    const last = (yield* log.latest(id, 100)).find(({ type }) => type.startsWith("booking."))
    if (last !== undefined) yield* run(log.rewrite(id, [{ id: last.id, data: {} }]))
  }
})

describe("checkDatabase.ts", () => {
  let data: string
  let filename: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "trailbook-check-"))
    filename = join(data, "trailbook.sqlite")
  })
  afterAll(() => rm(data, { recursive: true }))

  const check = (): Promise<{ readonly failed: boolean; readonly stderr: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        ["--conditions=@trailbook/source", "--import", "tsx", "checkDatabase.ts", filename],
        { cwd: folder },
        (error, _stdout, stderr) => resolve({ failed: error !== null, stderr })
      )
    })

  it("fails if the file is missing, and does not create it", async () => {
    const { failed, stderr } = await check()
    assert.isTrue(failed)
    assert.include(stderr, `There is no ${filename}.`)
    assert.isFalse(existsSync(filename))
  })

  it("reports a violation only if an event was tampered with", async () => {
    const [law] = capacityLaws({ storage: Sqlite.layer({ filename }), timezone: "America/Denver", offerings, runs: 10 })
    await law?.run()
    assert.deepStrictEqual(await check(), { failed: false, stderr: "" })

    await Effect.runPromise(Effect.provide(tamper, Sqlite.layer({ filename })))
    const tampered = await check()
    assert.isTrue(tampered.failed)
    assert.match(tampered.stderr, /^outfit-[\w-]+: event \d+ does not contain a booking$/m)
  })
})
