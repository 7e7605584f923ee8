/**
 * A short version of `npm run test:fairness` with the most expensive operation of each kind, on both databases. A round
 * that exceeds the limit is run up to three times, because other programs may disturb the measurement.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createDatabase, type Database } from "../postgres/database.ts"
import { isComplete } from "../runs.ts"
import { type Fairness, isKept, type Round, start, unlessTurnedAway, wasDone } from "./Fairness.ts"
import type { Size } from "./Season.ts"

const size: Size = {
  bookings: 3000,
  bookingsOfOne: 1500,
  guests: 300,
  offerings: 200,
  sessions: 500,
  events: 200,
  upcoming: 10_000,
  inSession: 1000
}
const seconds = 2
const attempts = 3

/**
 * One operation of each kind: slots, a list, an MCP tool, an export, bookings, other writes, and chunked work,
 * including work by the ops agent.
 */
const sorts = [
  "availability.get",
  "customers.list",
  "bookings_list",
  "org.export",
  "bookings.create",
  "sessions.create",
  "offerings.delete, large",
  "proposals.approve, large"
]

let folder = ""
let postgres: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trailbook-fairness-"))
  postgres = await createDatabase()
})

afterAll(async () => {
  await postgres.drop()
  await rm(folder, { recursive: true, force: true })
})

const databases = [
  ["SQLite", (name: string) => `sqlite:${join(folder, `${name}.sqlite`)}`],
  ["Postgres", (name: string) => `${postgres.url}?schema=${name}`]
] as const

// Other tests in the same run would disturb the measurement, so CI skips it.
describe.runIf(isComplete).each(databases)("on %s", (_, url) => {
  let fairness: Fairness

  beforeAll(async () => {
    fairness = await start(url("fairness"), size)
  }, 300_000)

  afterAll(() => fairness.stop())

  it.each(sorts)(
    "worst-case requests for %s do not delay another outfitter's booking",
    async (what) => {
      const rounds: Array<Round> = []
      while (rounds.length < attempts && !rounds.some(isKept)) rounds.push(await fairness.round(what, seconds))
      assert.isTrue(rounds.some(isKept), JSON.stringify(rounds))
      assert.isTrue(rounds.some(wasDone), JSON.stringify(rounds))
    },
    300_000
  )

  it(
    "control: availability computed without breaks delays another outfitter's booking",
    async () => {
      const control = await start(
        url("control"),
        { ...size, bookings: 500, bookingsOfOne: 10, guests: 20, offerings: 5, upcoming: 0, inSession: 0 },
        "control"
      )
      try {
        const round = await unlessTurnedAway(control.round("availability.get", seconds))
        assert.isTrue(round === undefined || !isKept(round), JSON.stringify(round))
      } finally {
        await control.stop()
      }
    },
    300_000
  )
})
