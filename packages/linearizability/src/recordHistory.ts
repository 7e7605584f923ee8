/** Plays a script against a storage adapter with concurrent clients and records the history. */
import type { SlotView } from "@trailbook/core/availability"
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import { TaskStore } from "@trailbook/core/task"
import * as Instant from "@trailbook/core/time/Instant"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import { makeRandomIntegers } from "@trailbook/testkit/fake/randomIntegers"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import { origin } from "@trailbook/testkit/generator/moment"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { History, Offering, Operation } from "./History.ts"
import * as HistoryRecorder from "./HistoryRecorder.ts"
import type { OfferingRecord } from "./HistoryRecorder.ts"
import type { ClientTurn, PlannedCall, Script } from "./script.ts"

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

class ConnectionLostError extends Data.TaggedError("ConnectionLostError")<{}> {}

interface FaultSchedule {
  /** How many times to yield before each port call. */
  readonly pause: () => number
  /** Returns whether to drop the connection now. */
  readonly losesConnection: () => boolean
}

/**
 * Simulates worst-case conditions for a storage adapter. Every port call yields to other fibers, so that units of work
 * interleave as much as the storage allows. Occasionally, the connection drops, either before a unit of work or right
 * after its commit.
 */
const injectFaults = (
  storage: Context.Context<Storage>,
  { losesConnection: loses, pause }: FaultSchedule
): Context.Context<Storage> => {
  const delay = Effect.suspend(() => yieldRepeatedly(pause()))
  const maybeDisconnect = Effect.suspend(() => loses() ? Effect.die(new ConnectionLostError()) : Effect.void)
  const units = Context.get(storage, UnitOfWork)
  return storage.pipe(
    Context.add(UnitOfWork, {
      ...units,
      run: (work) =>
        Effect.zipLeft(Effect.zipRight(Effect.zipRight(delay, maybeDisconnect), units.run(work)), maybeDisconnect),
      snapshot: (reads) => Effect.zipRight(delay, units.snapshot(reads))
    }),
    Context.add(BookingStore, withDelays(Context.get(storage, BookingStore), delay)),
    Context.add(CustomerStore, withDelays(Context.get(storage, CustomerStore), delay)),
    Context.add(EventLog, withDelays(Context.get(storage, EventLog), delay)),
    Context.add(OfferingStore, withDelays(Context.get(storage, OfferingStore), delay)),
    Context.add(OrgStore, withDelays(Context.get(storage, OrgStore), delay)),
    Context.add(TaskStore, withDelays(Context.get(storage, TaskStore), delay)),
    Context.add(SessionStore, withDelays(Context.get(storage, SessionStore), delay))
  )
}

const yieldRepeatedly = (times: number): Effect.Effect<void> =>
  times === 0 ? Effect.void : Effect.repeatN(Effect.yieldNow(), times - 1)

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

const withDelays = <Port extends object>(port: Port, delay: Effect.Effect<void>): Port =>
  // Every port method returns an effect. Arguments and results are unchanged.
  Object.fromEntries(
    Object.entries(port).map(([name, member]: readonly [string, Method | Effect.Effect<unknown>]) => [
      name,
      typeof member === "function"
        ? (...args: ReadonlyArray<unknown>) => Effect.zipRight(delay, member(...args))
        : Effect.zipRight(delay, member)
    ])
  ) as Port

/** A call in wire format and in recorded form. */
interface CallRequest {
  readonly name: string
  readonly input: { readonly [field: string]: unknown }
  readonly operation: Operation
}

const missingId = "ffffffff-ffff-7fff-8fff-ffffffffffff"
const minuteMs = 60_000

/** Builds a step's request from the rows that the clients know at the time. */
const buildRequest = (
  step: Exclude<PlannedCall, { _tag: "Pass" }>,
  page: OfferingRecord,
  date: string
): CallRequest => {
  const { id, kind } = page.offering
  const toPlaceInput = (place: string) => kind === "class" ? { session_id: place } : { starts_at: place }
  switch (step._tag) {
    case "Book": {
      const { holdMinutes, periods, quantity, wish } = step
      const place = pickPlace(page, step.place)
      const booking = wish === undefined ? `b${++page.keylessRequests}` : `k${wish}`
      return {
        name: "bookings.create",
        operation: { _tag: "Book", booking, place, quantity, periods, holdMinutes },
        input: {
          ...toPlaceInput(place),
          ...(kind === "rental" ? { periods } : {}),
          ...(holdMinutes === undefined ? {} : { hold_minutes: holdMinutes }),
          ...(wish === undefined ? {} : { idempotency_key: toKey(page, wish) }),
          offering_id: id,
          quantity,
          // The notes record which request created the booking.
          notes: booking,
          customer: { email: `guest${(wish ?? page.keylessRequests) % 4}@a.co` }
        }
      }
    }
    case "Move": {
      const booking = pickBooking(page, step.booking)
      const place = pickPlace(page, step.place)
      return {
        name: "bookings.move",
        operation: { _tag: "Move", booking: booking.name, place },
        input: { id: booking.id, ...toPlaceInput(place) }
      }
    }
    case "Confirm":
    case "Cancel":
    case "Get": {
      const booking = pickBooking(page, step.booking)
      return {
        name: `bookings.${step._tag.toLowerCase()}`,
        operation: { _tag: step._tag, booking: booking.name },
        input: { id: booking.id }
      }
    }
    case "List":
      return {
        name: "bookings.list",
        operation: step,
        input: { offering_id: id, limit: 500, ...(step.status === undefined ? {} : { status: step.status }) }
      }
    case "Availability":
      return { name: "availability.get", operation: step, input: { id, from: date, to: date } }
  }
}

/** Returns the name of the place at an index. The fifth place does not exist. */
const pickPlace = ({ offering: { kind, places } }: OfferingRecord, at: number): string => {
  const [first] = places
  if (first === undefined) throw new Error("An offering without places.")
  if (at < 4) return (places[at] ?? first).name
  return kind === "class" ? missingId : Instant.format(Instant.make(first.startsAt + 7 * minuteMs))
}

/** Picks one of the latest bookings, which other clients use too, or occasionally an unknown one. */
const pickBooking = ({ bookings }: OfferingRecord, at: number): { readonly id: string; readonly name: string } =>
  (at === 0 ? undefined : bookings.at(-1 - at % Math.min(bookings.length, 6))) ?? { id: missingId, name: "missingId" }

const toKey = ({ offering: { id } }: OfferingRecord, wish: number): string =>
  `${id.slice(0, -2)}${String(wish).padStart(2, "0")}`
