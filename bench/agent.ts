/**
 * Measures the ops agent on both storages, for 1,000 outfitters that each have 100 booked departures in the coming
 * weeks. Reports what it costs per outfitter to run each automation once, and how much of a core all automations use at
 * their normal frequency. Also reports how often an idle worker polls. The weather is available immediately, because
 * the latency of an external service is not being measured.
 */
import { type AutomationName, automationNames, AutomationStore } from "@trailbook/core/automation"
import { type Booking, BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { Forecast } from "@trailbook/core/forecast"
import { OfferingStore } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import { AutomationRuns } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Postgres from "@trailbook/postgres"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Sqlite from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as FakeForecast from "../test/laws/FakeForecast.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import { idleOnPostgres, idleOnSqlite } from "./idle.ts"
import type { Line } from "./report.ts"

const departures = 100
/** The maximum percentage of one core that all runs together may use. */
const promisedPct = 25

/** Each automation's runs per hour. */
const runsPerHour: Readonly<Record<AutomationName, number>> = { weather: 1, fill: 4, brief: 1 / 24, reminders: 12 }

const settings: Readonly<Record<AutomationName, Readonly<Record<string, unknown>>>> = {
  weather: { default: { max_gust_kph: 60, thunder: true, look_ahead_hours: 72 } },
  fill: { min_guests: 2 },
  brief: {},
  reminders: { after_6h: true }
}

/** Builds an outfitter with a class, a guest, departures, and one booking for each departure. */
const makeOutfitter = (n: number, now: Instant.Instant) => {
  const createdAt = Instant.addMinutes(now, -30 * 24 * 60)
  const orgId = randomUUID()
  const org = Org.make({
    id: orgId,
    name: `Outfitter ${n}`,
    slug: `outfitter-${n}`,
    timezone: "America/Denver",
    createdAt
  })
  const offering = Offering.make({
    id: randomUUID(),
    orgId,
    kind: "class",
    name: "Rafting",
    capacity: 12,
    lat: 38.5,
    lon: -106,
    createdAt
  })
  const customer = Customer.make({ id: randomUUID(), orgId, email: "ann@example.com", name: "Ann Bell", createdAt })
  const sessions = Array.from({ length: departures }, (_, at) => {
    const startsAt = Instant.addMinutes(now, 60 + at * 6 * 60)
    return {
      id: randomUUID(),
      orgId,
      offeringId: offering.id,
      startsAt,
      endsAt: Instant.addMinutes(startsAt, 120),
      capacity: null,
      notes: "",
      status: "scheduled" as const,
      createdAt,
      judgedAt: Instant.make(0)
    }
  })
  const bookings = sessions.map((session, at) => ({
    id: randomUUID(),
    orgId,
    offeringId: offering.id,
    customerId: customer.id,
    sessionId: session.id,
    startsAt: session.startsAt,
    endsAt: session.endsAt,
    quantity: 3,
    periods: 1,
    periodMinutes: 120,
    totalCents: 0,
    currency: "usd",
    deskCents: 0,
    keepCents: null,
    price: null,
    cancellationPolicy: null,
    onlineCents: null,
    staffNotes: "",
    reference: `R${n}A${at}`,
    handle: randomUUID(),
    checkInToken: randomUUID(),
    source: "api",
    notes: "",
    metadata: {},
    createdAt,
    confirmedAt: createdAt,
    updatedAt: createdAt,
    paidAt: null,
    paymentIntentId: null,
    refund: null,
    dispute: null,
    attendance: null,
    tapsFrom: createdAt,
    previous: null,
    unproven: null,
    resentAt: null,
    contact: null,
    idempotency: { key: randomUUID(), fingerprint: "" },
    status: "confirmed"
  } satisfies Booking))
  return { org, offering, customer, sessions, bookings }
}

/** The number of outfitters stored per transaction, with one statement per table. */
const together = 20

/** Creates the outfitters and makes all their automations due. */
const openOutfitters = (outfitters: number) =>
  Effect.gen(function*() {
    const [stores, { run }] = yield* Effect.all([
      Effect.all({
        automations: AutomationStore,
        bookings: BookingStore,
        customers: CustomerStore,
        offerings: OfferingStore,
        orgs: OrgStore,
        sessions: SessionStore
      }),
      UnitOfWork
    ])
    const now = yield* currentTime
    for (let from = 0; from < outfitters; from += together) {
      const batch = Array.from(
        { length: Math.min(together, outfitters - from) },
        (_, at) => makeOutfitter(from + at, now)
      )
      yield* run(Effect.gen(function*() {
        for (const { org } of batch) yield* stores.orgs.put(org)
        yield* stores.offerings.put(batch.map(({ offering }) => offering))
        yield* stores.customers.put(batch.map(({ customer }) => customer))
        yield* stores.sessions.put(batch.flatMap(({ sessions }) => sessions))
        yield* stores.bookings.put(batch.flatMap(({ bookings }) => bookings))
        for (const { org } of batch) {
          for (const automation of automationNames) {
            yield* stores.automations.put(makeAutomation(org.id, automation, now))
          }
        }
      }))
    }
  })

const makeAutomation = (orgId: string, automation: AutomationName, now: Instant.Instant) => ({
  orgId,
  automation,
  dial: "ask" as const,
  settings: settings[automation],
  updatedAt: now,
  nextAt: now
})

interface Cost {
  readonly turns: number
  readonly proposed: number
  /** The process's CPU time in milliseconds. On Postgres, this excludes the database process. */
  readonly cpuMs: number
  readonly tookMs: number
}

/** Runs every outfitter's automations twice. The second run has nothing new to propose. */
const measureTurns = (outfitters: number, settle: Effect.Effect<unknown>) =>
  Effect.gen(function*() {
    yield* openOutfitters(outfitters)
    yield* settle
    const { claim, take } = yield* AutomationRuns
    const store = yield* AutomationStore
    const rounds: Array<Record<AutomationName, Cost>> = []
    for (let round = 0; round < 2; round++) {
      const costs = {
        weather: { turns: 0, proposed: 0, cpuMs: 0, tookMs: 0 },
        fill: { turns: 0, proposed: 0, cpuMs: 0, tookMs: 0 },
        brief: { turns: 0, proposed: 0, cpuMs: 0, tookMs: 0 },
        reminders: { turns: 0, proposed: 0, cpuMs: 0, tookMs: 0 }
      }
      for (;;) {
        // Claims two runs at a time, as a worker does.
        const claims = yield* claim(2)
        if (claims.length === 0) break
        for (const turn of claims) {
          const before = { cpu: process.cpuUsage(), at: performance.now() }
          const proposalCount = yield* take(turn)
          const { system, user } = process.cpuUsage(before.cpu)
          const cost = costs[turn.automation]
          costs[turn.automation] = {
            turns: cost.turns + 1,
            proposed: cost.proposed + proposalCount,
            cpuMs: cost.cpuMs + (system + user) / 1000,
            tookMs: cost.tookMs + performance.now() - before.at
          }
        }
      }
      rounds.push(costs)
      if (round > 0) break
      const now = yield* currentTime
      const orgs = yield* (yield* OrgStore).all
      const { run } = yield* UnitOfWork
      yield* run(Effect.forEach(
        orgs,
        ({ id }) =>
          Effect.forEach(automationNames, (automation) => store.put(makeAutomation(id, automation, now)), {
            discard: true
          }),
        { discard: true }
      ))
    }
    return rounds
  })

const formatLines = (
  storage: string,
  outfitters: number,
  rounds: ReadonlyArray<Record<AutomationName, Cost>>
): ReadonlyArray<Line> => {
  const [first, second = first] = rounds
  if (first === undefined || second === undefined) return []
  const msPerTurn = ({ tookMs, turns }: Cost) => tookMs / Math.max(1, turns)
  const percent = automationNames.reduce((sum, name) => sum + msPerTurn(second[name]) * runsPerHour[name], 0) *
    outfitters /
    36_000
  return [
    ...automationNames.map((name): Line => ({
      what: `${storage}: ${name} automation: time per run with and without new proposals`,
      figure: `${msPerTurn(first[name]).toFixed(1)}, ${msPerTurn(second[name]).toFixed(1)} ms`
    })),
    {
      what: `${storage}: share of one core that all automations use at their usual intervals`,
      figure: `${percent.toFixed(1)}%`,
      promise: { text: `at most ${promisedPct}%`, kept: percent <= promisedPct }
    }
  ]
}

export const agent = async (folder: string, outfitters = 1000): Promise<ReadonlyArray<Line>> => {
  const forecast = await Effect.runPromise(FakeForecast.make)
  const domain = engineLayer(NodeIds.layer, "none", { forecast: Layer.succeed(Forecast, forecast.forecast) })
  await Effect.runPromise(forecast.change({ gustKph: 90 }))
  const lines = [await idleOnSqlite(folder)]
  const sqlite = Layer.provideMerge(domain, Sqlite.layer({ filename: join(folder, "agent.sqlite") }))
  const onSqlite = await Effect.runPromise(Effect.provide(measureTurns(outfitters, Effect.void), sqlite))
  lines.push(...formatLines("SQLite", outfitters, onSqlite))
  const postgres = await freshPostgres()
  try {
    lines.push(await idleOnPostgres(postgres.url))
    const layer = Layer.provideMerge(domain, Layer.orDie(Postgres.layer({ url: postgres.url })))
    const onPostgres = await Effect.runPromise(
      Effect.provide(measureTurns(outfitters, Effect.promise(() => postgres.settle())), layer)
    )
    lines.push(...formatLines("Postgres", outfitters, onPostgres))
  } finally {
    await postgres.stop()
  }
  return lines
}
