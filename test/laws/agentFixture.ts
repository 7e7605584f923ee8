/** The fixture for the ops agent's laws: an outfitter, its weather, and processes that can crash. */
import type { Refusal } from "@trailbook/core"
import { Forecast } from "@trailbook/core/forecast"
import { Payments } from "@trailbook/core/payment"
import type { ProposalView } from "@trailbook/core/proposal"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { type Law, type LawSteps, toEffect } from "@trailbook/testkit/law/Law"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { crashAfter } from "./crashAfter.ts"
import * as FakeForecast from "./FakeForecast.ts"

type Answer = Readonly<Record<string, unknown>>

export interface AgentFixture {
  readonly orgId: string
  readonly clock: SettableClock.SettableClock
  readonly weather: Effect.Effect.Success<typeof FakeForecast.make>
  readonly process: Process.ServerProcess
  /**
   * Starts another process on the same storage. With `units`, the process crashes at that unit of work, either before
   * the unit starts or before it commits.
   */
  readonly another: (
    units?: number,
    dies?: "before" | "at the end"
  ) => Effect.Effect<Process.ServerProcess, never, Storage | Scope.Scope>
  readonly ask: (name: string, input: object) => Effect.Effect<Answer, Refusal>
  readonly list: (query?: object) => Effect.Effect<ReadonlyArray<ProposalView>>
  /** Runs all due automations. */
  readonly look: (process?: Process.ServerProcess) => Effect.Effect<number>
  /** Runs all due proposals. */
  readonly act: (process?: Process.ServerProcess) => Effect.Effect<void>
}

let seeds = 0

/** 1 p.m. in Denver on the previous day, well outside quiet hours. */
export const noon = Instant.addMinutes(origin, 11 * 60)

export const makeAgentFixture = (check: (outfit: AgentFixture) => LawSteps<Refusal, Storage | Scope.Scope>) =>
  Effect.scoped(Effect.gen(function*() {
    const clock = yield* SettableClock.make(noon)
    const weather = yield* FakeForecast.make
    const startAnother: AgentFixture["another"] = (units = Infinity, dies) =>
      Effect.suspend(() => {
        const start = Process.start({ seed: 7000 + ++seeds, batches: { concurrency: 1, maxBatchSize: 4 } })
        return crashAfter(start, units, dies).pipe(
          Effect.provide(Payments.layerNone),
          Effect.provideService(Forecast, weather.forecast)
        )
      })
    yield* Effect.withClock(
      Effect.gen(function*() {
        const { id: orgId } = yield* createEmptyOrg
        const process = yield* startAnother()
        const ask = (name: string, input: object) => process.call(orgId, name, input) as Effect.Effect<Answer, Refusal>
        const list = (query: object = {}) =>
          Effect.map(
            Effect.orDie(ask("proposals.list", query)),
            ({ data }) => data as ReadonlyArray<ProposalView>
          )
        const runAgent = (by = process) =>
          Effect.gen(function*() {
            let takenCount = 0
            for (const claim of yield* by.turns.claim(100)) takenCount += yield* by.turns.take(claim)
            return takenCount
          })
        const act = (by = process) =>
          Effect.gen(function*() {
            for (const claim of yield* by.proposals.claim(100)) yield* by.proposals.run(claim)
          })
        yield* Effect.orDie(
          toEffect(check({ orgId, clock, weather, process, another: startAnother, ask, list, look: runAgent, act }))
        )
      }),
      clock
    )
  }))

/** Wraps {@link makeAgentFixture} as a law's check. */
export const withAgentFixture = (check: Parameters<typeof makeAgentFixture>[0]): Law["check"] => () =>
  makeAgentFixture(check)

export const resultId = (answer: unknown): string => (answer as { readonly id: string }).id
export const idsIn = (answer: unknown): ReadonlyArray<string> =>
  (answer as { readonly data: ReadonlyArray<{ readonly id: string }> }).data.map(({ id }) => id)

/** Creates a class with two-seat sessions that start this many hours from now. */
export const raftingOutfitter = ({ ask }: AgentFixture, ...hours: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const offering_id = resultId(
      yield* ask("offerings.create", { name: "Rafting", kind: "class", capacity: 2, lat: 38, lon: -106 })
    )
    const sessionIds = yield* Effect.forEach(hours, (hours) =>
      Effect.map(
        ask("sessions.create", { offering_id, starts_at: Instant.format(Instant.addMinutes(noon, hours * 60)) }),
        (answer) => idsIn(answer)[0] ?? ""
      ))
    return { offering_id, sessionIds }
  })

/** Works like {@link raftingOutfitter}, but books all seats. */
export const soldOut = (outfit: AgentFixture, ...hours: ReadonlyArray<number>) =>
  Effect.tap(
    raftingOutfitter(outfit, ...hours),
    ({ offering_id, sessionIds }) => Effect.forEach(sessionIds, (id) => book(outfit, offering_id, id, "ann@a.co", 2))
  )

/** Configures the weather automation to act on gusts above 60 km/h. */
export const fearGusts = ({ ask }: AgentFixture, dial: string) =>
  ask("automations.update", { automation: "weather", dial, settings: { default: { max_gust_kph: 60 } } })

export const book = ({ ask }: AgentFixture, offering_id: string, session_id: string, email: string, quantity = 1) =>
  ask("bookings.create", { offering_id, session_id, quantity, customer: { email, name: "Ann Bell" } })

export const listMessages = (orgId: string) =>
  Store.messages.list({
    orgId,
    limit: 1000
  })

export const listStarts = (orgId: string) =>
  Effect.map(
    Store.sessions.list({
      orgId,
      status: "scheduled",
      limit: 1000,
      now: origin
    }),
    (all) => all.map(({ session }) => session.startsAt)
  )

export const dayMs = 24 * 60 * 60_000

export const refusalCode = <A>(work: Effect.Effect<A, Refusal>) =>
  Effect.match(work, { onFailure: ({ code }) => code as string, onSuccess: () => "done" })

/** Runs work in a process that can crash at any point, and releases the leases of failed work immediately. */
export const withCrashes = ({ process }: AgentFixture, mortal: Process.ServerProcess) =>
  Effect.gen(function*() {
    const turns = yield* mortal.turns.claim(100)
    for (const claim of turns) {
      if ((yield* Effect.exit(mortal.turns.take(claim)))._tag === "Failure") yield* process.turns.release([claim])
    }
    const runs = yield* mortal.proposals.claim(100)
    for (const claim of runs) {
      if ((yield* Effect.exit(mortal.proposals.run(claim)))._tag === "Failure") {
        yield* process.proposals.release([claim])
      }
    }
  })
