/** Opens Trailbook in a host application with its own clock. */
import { migrate } from "@trailbook/postgres"
import * as Effect from "effect/Effect"
import { createTrailbook, type Outfitter, type Trailbook, type TrailbookOptions } from "trailbook"
import { onTestFinished } from "vitest"
import { createDatabase, type Database } from "../../../../test/postgres/database.ts"

export const salida = { name: "Salida River Co.", timezone: "America/Denver" }

/** A Saturday in May. */
export const start = Date.UTC(2027, 4, 1, 12)

/** A clock that moves only when set. */
export const makeClock = (at = start) => {
  const clock = { at, now: () => clock.at }
  return clock
}

const silent = { log: () => {} }

export const openTrailbook = async (options: Partial<TrailbookOptions> = {}): Promise<Trailbook & Outfitter> => {
  const trailbook = await createTrailbook({
    database: ":memory:",
    org: salida,
    clock: makeClock(),
    ...silent,
    ...options
  })
  onTestFinished(() => trailbook.close())
  return trailbook as Trailbook & Outfitter
}

/** The schema that contains Trailbook's tables in the host's database. */
export const schema = "booking"

/** Creates a Postgres database with Trailbook's tables and drops it after the test. */
export const createHostDatabase = async (): Promise<Database> => {
  const database = await createDatabase({
    name: "embedded",
    fill: async (url) => void await Effect.runPromise(migrate({ url, schema }))
  })
  onTestFinished(database.drop)
  return database
}

/** Creates a raft trip on a Monday. */
export const trip = async (outfitter: Outfitter, capacity = 12) => {
  const offering = await outfitter.offerings.create({
    name: "Browns Canyon",
    kind: "class",
    capacity,
    price_cents: 9900
  })
  const { data: [session] } = await outfitter.sessions.create({
    offering_id: offering.id,
    starts_at: "2027-05-03T15:00:00Z"
  })
  if (session === undefined) throw new Error("A session was made.")
  return { offering_id: offering.id, session_id: session.id }
}

export const ada = { customer: { email: "ada@example.com", name: "Ada" } }
