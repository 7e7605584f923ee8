/** Kills the process at random times. Every sale that it has reported must be stored completely and exactly once. */
import { assert, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OrgStore } from "@trailbook/core/org"
import { checkInvariants } from "@trailbook/testkit"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { layer } from "../src/JournalStorage.ts"
import { openJournal } from "./opened.ts"
import { temporaryFile } from "./temporaryFile.ts"

const program = join(import.meta.dirname, "../sell.ts")

const start = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--conditions=@trailbook/source", "--import", "tsx", program, file], {
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Waits for `lines` new lines, kills the process, and returns all lines. */
const killAfter = async (child: ChildProcess, knownIds: ReadonlyMap<string, string>, lines: number) => {
  assert.isNotNull(child.stdout)
  const printedIds = new Map<string, string>()
  const exit = once(child, "exit")
  for await (const line of createInterface(child.stdout)) {
    const [, what = "", id = ""] = /^(seat \d+ \w+) (\S{36})$/.exec(line) ?? []
    assert.notStrictEqual(id, "", line)
    printedIds.set(what, id)
    if (!knownIds.has(what) && --lines === 0) child.kill("SIGKILL")
  }
  assert.deepStrictEqual(await exit, [null, "SIGKILL"])
  return printedIds
}

it.scopedLive(
  "the journal keeps every acknowledged write exactly once after a crash",
  () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const knownIds = new Map<string, string>()
      for (const lines of [1, 12, 45]) {
        const printedIds = yield* Effect.scoped(
          Effect.flatMap(start(file), (child) => Effect.promise(() => killAfter(child, knownIds, lines)))
        )
        // Read the files before opening the journal, because opening rewrites them.
        const text = [file, `${file}.new`].filter((name) => existsSync(name)).map((name) => readFileSync(name, "utf8"))
          .join()
        for (const [what, id] of printedIds) {
          assert.strictEqual(knownIds.get(what) ?? id, id, `${what} twice`)
          knownIds.set(what, id)
          const [, seat, action] = what.split(" ")
          if (action === "forgotten") assert.notInclude(text, `"guest${seat}@example.com"`)
        }
        yield* Effect.provide(check(knownIds), layer(file))
      }
      assert.isAtLeast(knownIds.size, 1 + 12 + 45)
    })
)

const check = (knownIds: ReadonlyMap<string, string>) =>
  Effect.gen(function*() {
    const [org] = yield* (yield* OrgStore).all
    assert.isDefined(org)
    const { id: orgId } = org
    const bookings = yield* BookingStore
    const customers = yield* CustomerStore
    for (const [what, id] of knownIds) {
      if (what.endsWith("sold")) {
        const [record] = yield* bookings.find([{ orgId, id }])
        assert.strictEqual(record?.booking.status, "confirmed", what)
      } else {
        const [customer] = yield* customers.find([{ orgId, id }])
        assert.deepStrictEqual([customer?.email, customer?.name], ["", ""], what)
      }
    }
    // No seat is sold twice, every booking has its event, every event has its booking, and no event is missing.
    assert.deepStrictEqual(yield* checkInvariants(orgId), [])
  })

it.scopedLive("a journal stays locked until the process that opened it exits", () =>
  Effect.gen(function*() {
    const file = yield* temporaryFile
    const child = yield* start(file)
    const exit = once(child, "exit")
    assert.isNotNull(child.stdout)
    yield* Effect.promise(async () => child.stdout && once(child.stdout, "data"))
    const { message } = yield* Effect.flip(Effect.scoped(openJournal(file)))
    assert.strictEqual(message, `${file} is locked by process ${child.pid}.`)
    child.kill("SIGKILL")
    yield* Effect.promise(() => exit)
    yield* openJournal(file)
  }))
