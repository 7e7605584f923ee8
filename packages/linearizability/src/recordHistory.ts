/** Plays a script against a storage adapter with concurrent clients and records the history. */
import type { SlotView } from "@trailbook/core/availability"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildRequest } from "./buildRequest.ts"
import { injectFaults, yieldRepeatedly } from "./faultInjection.ts"
import type { History, Offering } from "./History.ts"
import * as HistoryRecorder from "./HistoryRecorder.ts"
import type { ClientTurn, Script } from "./script.ts"

export interface RecordedHistory {
  /** One history per offering. */
  readonly histories: ReadonlyArray<History>
  /** Defects that calls died of, except storage outages. */
  readonly defects: ReadonlyArray<Cause.Cause<unknown>>
}

export interface ServerOptions {
  readonly batches: Parameters<typeof Process.start>[0]["batches"]
  /** The number of processes that share the storage. Clients are distributed across the processes. */
  readonly processes: number
  /** Whether the processes' clocks differ and jump by up to 20 minutes. */
  readonly clocksDiffer?: boolean
}

/**
 * The start of a history. It is shortly before the date's first start time, so that some clients try to book too late.
 */
const historyStart = Instant.addMinutes(origin, 6 * 60 + 35)
const date = "2027-03-14"
const sessionHours = [7, 8, 9, 10]

export const recordHistory = (
  script: Script,
  { clocksDiffer = false, batches, processes }: ServerOptions
): Effect.Effect<RecordedHistory, never, Storage> =>
  Effect.scoped(Effect.gen(function*() {
    const { id: orgId } = yield* createEmptyOrg
    const next = makeRandomIntegers(script.seed)
    let injectsFaults = false
    const storage = injectFaults(yield* Effect.context<Storage>(), {
      pause: () => injectsFaults ? next() % 3 : 0,
      losesConnection: () => injectsFaults && next() % 50 === 0
    })
    const servers = yield* Effect.forEach(
      Array.from({ length: processes }),
      (_, at) =>
        Effect.gen(function*() {
          const clock = yield* openClock
          const process = Process.start({ seed: script.seed * processes + at, batches })
          return { clock, process: yield* Effect.withClock(process, clock) }
        })
    ).pipe(
      Effect.provide(storage),
      Effect.provide(Layer.fresh(FakePayments.layer))
    )
    const call = (client: number, name: string, input: unknown) =>
      Effect.suspend(() => {
        const server = servers[client % processes]
        if (server === undefined) return Effect.dieMessage("No server.")
        return Effect.withClock(server.process.call(orgId, name, input), server.clock)
      })
    const offerings = yield* Effect.forEach(
      script.offerings,
      (settings) => Effect.orDie(createOffering(settings, (name, input) => call(0, name, input)))
    )
    const recorder = HistoryRecorder.open(offerings, servers.map(() => historyStart))
    let now = historyStart
    const advanceClocks = (minutes: number) => {
      now = Instant.addMinutes(now, minutes)
      return servers.map(({ clock }) => {
        const moment = clocksDiffer ? Instant.addMinutes(now, next() % 21 - 10) : now
        // Set the clock without yielding, so that no call reads it before the change is recorded.
        Effect.runSync(clock.set(moment))
        return moment
      })
    }

    const playTurn = (client: number, { offering, patience, pause, step }: ClientTurn) =>
      Effect.gen(function*() {
        yield* yieldRepeatedly(pause)
        const page = recorder.records[offering]
        if (step._tag === "Pass") return recorder.set(advanceClocks(step.minutes))
        if (page === undefined) return yield* Effect.dieMessage("No such offering.")
        const { input, name, operation } = buildRequest(step, page, date)
        yield* recorder.call(
          page,
          { client, server: client % processes, operation },
          patience,
          call(client, name, input)
        )
      })

    injectsFaults = true
    yield* Effect.forEach(
      script.clients,
      (turns, client) => Effect.forEach(turns, (turn) => playTurn(client + 1, turn), { discard: true }),
      { concurrency: "unbounded", discard: true }
    )
    injectsFaults = false
    yield* Effect.forEach(makeFinalTurns(offerings.length), (turn) => playTurn(script.clients.length + 1, turn), {
      discard: true
    })
    return recorder.read()
  }))

/** Returns the turns that read the final state. Without these turns, a lost booking would go unnoticed. */
const makeFinalTurns = (offerings: number): ReadonlyArray<ClientTurn> =>
  Array.from({ length: offerings }).flatMap((_, offering) =>
    ([{ _tag: "List", status: undefined }, { _tag: "Availability" }] as const).map((step) => ({
      offering,
      step,
      pause: 0,
      patience: undefined
    }))
  )

const liveClock = Clock.make()

/** A clock that moves only when it is set. Its sleeps still take real time. */
const openClock = Effect.map(
  SettableClock.make(historyStart),
  (clock): SettableClock.SettableClock => ({ ...clock, sleep: (duration) => liveClock.sleep(duration) })
)

type Call = (name: string, input: unknown) => ReturnType<Process.ServerProcess["call"]>

/** Creates an offering, with sessions if it is a class, and reads its bookable places. */
const createOffering = (settings: Script["offerings"][number], call: Call) =>
  Effect.gen(function*() {
    const { id } = (yield* call("offerings.create", { name: "Rafting", ...settings })) as { readonly id: string }
    if (settings.kind === "class") {
      yield* Effect.forEach(sessionHours, (hours, at) =>
        call("sessions.create", {
          offering_id: id,
          starts_at: Instant.format(Instant.addMinutes(origin, hours * 60)),
          capacity: at === 1 ? 1 : null
        }))
    }
    const { data } = (yield* call("availability.get", { id, from: date, to: date })) as {
      readonly data: ReadonlyArray<SlotView>
    }
    return {
      id,
      kind: settings.kind,
      bufferMinutes: settings.buffer_minutes,
      places: data.map(({ capacity, ends_at, session_id, starts_at }) => ({
        name: session_id ?? starts_at,
        startsAt: Date.parse(starts_at),
        endsAt: Date.parse(ends_at),
        capacity
      }))
    } satisfies Offering
  })
