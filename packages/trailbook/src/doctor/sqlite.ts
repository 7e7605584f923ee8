import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import { fault, makePassed } from "./Finding.ts"
import { writable } from "./writable.ts"

const intact = Effect.gen(function*() {
  const { query } = yield* Database
  const rows = yield* query<{ readonly quick_check: string }>("pragma quick_check(5)")
  const complaints = rows.map(({ quick_check }) => quick_check).filter((said) => said !== "ok")
  return complaints.length === 0
    ? makePassed("integrity", "quick_check finds nothing")
    : fault(
      "integrity",
      complaints.join("; "),
      "Stop the server and restore the newest backup; keep this file to examine."
    )
})

/** Of the connection that writes: some go back to their defaults whenever a file is opened. */
const settings = Effect.gen(function*() {
  const { execute } = yield* Database
  const wrong: Array<string> = []
  for (const [name, wanted] of Object.entries(relied)) {
    const [row = {}] = yield* execute<Record<string, unknown>>(`pragma ${name}`)
    const [value] = Object.values(row)
    if (!wanted(value)) wrong.push(`${name} is ${String(value)}`)
  }
  return wrong.length === 0
    ? makePassed("pragmas", `as they should be: ${Object.keys(relied).join(", ")}`)
    : fault(
      "pragmas",
      wrong.join(", "),
      "Put the database on a local disk: some network file systems allow no write-ahead log."
    )
})

const relied: Record<string, (value: unknown) => boolean> = {
  journal_mode: (value) => value === "wal",
  // 2 is full: what was answered survives a power cut.
  synchronous: (value) => value === 2,
  foreign_keys: (value) => value === 1,
  secure_delete: (value) => value === 1,
  busy_timeout: (value) => Number(value) > 0
}

/** A place where a hold was over that ends later than now was judged by a clock that was ahead, or has been set back since. */
const clocks = Effect.gen(function*() {
  const { query } = yield* Database
  const now = yield* currentTime
  const [row] = yield* query<{ readonly places: number; readonly latest: Instant.Instant | null }>(
    `select count(*) as places, max(judged_at) as latest
      from (select judged_at from offerings union all select judged_at from sessions) where judged_at > $1`,
    [now]
  )
  return row === undefined || row.latest === null
    ? makePassed("clocks", "no place was judged later than now")
    : fault(
      "clocks",
      `places judged by a clock that was ahead of this one's: ${row.places}, the latest at ${
        Instant.format(row.latest)
      }`,
      "Set the clock, and keep it right with NTP. Nothing is sold twice meanwhile, but new holds there may be cut short."
    )
})

/** What a server relies on in a SQLite file. */
export const checks = Effect.all([
  intact,
  writable(
    "the write lock can be had",
    "Let this user write to the file and its folder, make room on the disk, and end what keeps the database locked."
  ),
  settings,
  clocks
])
