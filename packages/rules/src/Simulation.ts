/**
 * A scenario's environment: an org in the setup's storage, served by two processes, with a clock that the scenario
 * controls. The simulation uses only the API's operations.
 */
import type { Refusal } from "@trailbook/core"
import { SlotView } from "@trailbook/core/availability"
import { BookingView } from "@trailbook/core/booking"
import { getLocalDate, HoursEntryView, OfferingView } from "@trailbook/core/offering"
import * as Org from "@trailbook/core/org/Org"
import { BookedSessionView } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import { FakePayments } from "@trailbook/testkit/fake/FakePayments"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Process from "@trailbook/testkit/law/ServerProcess"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Place } from "./count.ts"
import type { OfferingInput, OfferingSetup } from "./OfferingSetup.ts"
import * as World from "./World.ts"

/** The body of a request. */
export type RequestBody = { readonly [field: string]: unknown }

/** The result of a booking request. */
export type BookingResult = Either.Either<BookingView, Refusal>

export interface Simulation {
  readonly orgId: string
  readonly zone: Zone.Zone
  readonly now: Effect.Effect<Instant.Instant>
  readonly setClock: (moment: Instant.Instant) => Effect.Effect<void>
  /** The current state. */
  readonly world: Effect.Effect<World.World>
  /** Sends a request, alternating between the two processes. */
  readonly send: (name: string, input: RequestBody) => Effect.Effect<Either.Either<unknown, Refusal>>
  /** Sends a request that returns a booking. */
  readonly sendBookingRequest: (name: string, input: RequestBody) => Effect.Effect<BookingResult>
  /**
   * Lists an offering's slots for a number of periods between two local dates. Returns no slots if the offering does
   * not allow that many periods.
   */
  readonly listSlots: (offering: World.OfferingWithHours, query: {
    readonly from: LocalDate.LocalDate
    readonly to: LocalDate.LocalDate
    readonly periods: number
  }) => Effect.Effect<ReadonlyArray<SlotView>>
  /** Returns the listed slot for exactly this place. */
  readonly findSlot: (
    offering: World.OfferingWithHours,
    place: Pick<Place, "starts_at" | "session_id">,
    periods: number
  ) => Effect.Effect<SlotView | undefined>
  /** Returns the number of periods in a booking, which API responses do not contain. */
  readonly periodsOf: (booking: BookingView) => number
}

/** The processes, shared by consecutive scenarios with different orgs. */
export interface SimulatedServers {
  readonly setup: OfferingSetup
  readonly zone: Zone.Zone
  readonly clock: SettableClock.SettableClock
  readonly processes: readonly [Process.ServerProcess, Process.ServerProcess]
  readonly newId: () => string
}

/** Starts the servers. `chance` separates this run's data from other runs in the same storage. */
export const startServers = (
  setup: OfferingSetup,
  chance: number
): Effect.Effect<SimulatedServers, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(Instant.min)
    const payments = yield* Layer.build(Layer.fresh(FakePayments.layer))
    const start = (seed: number, batches: Parameters<typeof Process.start>[0]["batches"]) =>
      Process.start({ seed, batches }).pipe(Effect.provide(payments), Effect.withClock(clock))
    const processes = [
      yield* start(chance + 1, "none"),
      yield* start(chance + 2, { concurrency: 2, maxBatchSize: 8 })
    ] as const
    return { setup, clock, processes, zone: Zone.get(setup.timezone), newId: TestIds.make(chance).uuid }
  })

const makeListSchema = <A, I>(item: Schema.Schema<A, I>) => Schema.Struct({ data: Schema.Array(item) })
const decodeSessions = Schema.decodeUnknownSync(makeListSchema(BookedSessionView))
const decodeBookings = Schema.decodeUnknownSync(makeListSchema(BookingView))
const decodeSlots = Schema.decodeUnknownSync(makeListSchema(SlotView))
const decodeHours = Schema.decodeUnknownSync(makeListSchema(HoursEntryView))
const decodeBooking = Schema.decodeUnknownSync(BookingView)
const decodeOffering = Schema.decodeUnknownSync(OfferingView)

/** The page size. It is larger than the number of bookings that a scenario creates. */
const pageSize = 500

/**
 * Opens an org with the configured offerings. Dies if the API rejects an offering, because the setup is then invalid.
 */
export const openSimulation = (
  servers: SimulatedServers,
  startTime: Instant.Instant
): Effect.Effect<Simulation, never, Storage> =>
  Effect.gen(function*() {
    const { clock, newId, setup, processes, zone } = servers
    yield* clock.set(startTime)
    const orgId = newId()
    const org = Org.make({
      id: orgId,
      name: "Outfit",
      slug: `outfit-${orgId}`,
      timezone: zone.name,
      createdAt: startTime
    })
    yield* Store.orgs.put(org)

    let turn = 0
    const call = (name: string, input: RequestBody) =>
      Effect.suspend(() => processes[turn++ % 2 === 0 ? 0 : 1].call(orgId, name, input)).pipe(Effect.withClock(clock))
    const callAndDecode = <A>(name: string, input: RequestBody, decode: (answer: unknown) => A) =>
      Effect.map(Effect.orDie(call(name, input)), decode)

    const offerings = yield* Effect.forEach(setup.offerings, (input) => createOffering(call, input, startTime))
    const creationOrder = new Map<string, number>()
    const periods = new Map<string, number>()
    const now = Effect.sync(() => Instant.make(clock.unsafeCurrentTimeMillis()))

    const listSlots: Simulation["listSlots"] = ({ id, kind, max_periods }, { from, periods, to }) =>
      periods > max_periods ? Effect.succeed([]) : callAndDecode("availability.get", {
        id,
        from: LocalDate.format(from),
        to: LocalDate.format(to),
        ...(kind === "rental" ? { periods } : {})
      }, (answer) => decodeSlots(answer).data)

    return {
      orgId,
      zone,
      now,
      setClock: clock.set,
      listSlots,
      findSlot: (offering, { session_id, starts_at }, periods) => {
        const date = getLocalDate(zone, World.parseTimestamp(starts_at))
        return Effect.map(
          listSlots(offering, { from: date, to: date, periods }),
          (slots) => slots.find((slot) => slot.session_id === (session_id ?? undefined) && slot.starts_at === starts_at)
        )
      },
      periodsOf: ({ id }) => periods.get(id) ?? 1,
      send: (name, input) => Effect.either(call(name, input)),
      sendBookingRequest: (name, input) =>
        Effect.either(Effect.map(call(name, input), (answer) => {
          const booking = decodeBooking(answer)
          if (!creationOrder.has(booking.id)) creationOrder.set(booking.id, creationOrder.size)
          if (typeof input.periods === "number") periods.set(booking.id, input.periods)
          return booking
        })),
      world: Effect.gen(function*() {
        const bookings = yield* callAndDecode("bookings.list", { limit: pageSize }, (answer) =>
          decodeBookings(answer).data)
        const sessions = offerings.some(({ kind }) =>
            kind === "class"
          )
          ? yield* callAndDecode("sessions.list", { limit: pageSize }, (answer) => decodeSessions(answer).data)
          : []
        const orderedBookings = bookings.toSorted((a, b) =>
          (creationOrder.get(a.id) ?? Infinity) - (creationOrder.get(b.id) ?? Infinity)
        )
        return World.make(zone, yield* now, { offerings, sessions, bookings: orderedBookings })
      })
    }
  })

type Call = (name: string, input: RequestBody) => Effect.Effect<unknown, Refusal>

const createOffering = (call: Call, { hours, sessions, ...input }: OfferingInput, startTime: Instant.Instant) =>
  Effect.gen(function*() {
    const offering = decodeOffering(yield* call("offerings.create", input))
    const { id, kind } = offering
    // Use the hours in the setup instead of the stored ones, because laws must follow the outfitter's input.
    const openHours = hours === undefined
      ? kind === "class" ? [] : defaultHours
      : decodeHours(yield* call("offerings.set_hours", { id, hours })).data
    for (const session of sessions ?? (kind === "class" ? makeDefaultSessions(offering, startTime) : [])) {
      yield* call("sessions.create", { ...session, offering_id: id })
    }
    return { ...offering, hours: World.toRuleHours(openHours) }
  }).pipe(
    Effect.mapError(({ code, message }) =>
      new Error(`Trailbook's rules reject the offering "${input.name}" (${code}): ${message}`)
    ),
    Effect.orDie
  )

/** The default hours for appointments and rentals. */
const defaultHours: ReadonlyArray<HoursEntryView> = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  start_time: "09:00:00",
  end_time: "17:00:00"
}))

/** Returns two sessions. The first starts one hour after the earliest bookable time, and the second a day later. */
const makeDefaultSessions = (
  { min_notice_minutes }: OfferingView,
  startTime: Instant.Instant
): ReadonlyArray<RequestBody> =>
  [1, 25].map((hours) => ({
    starts_at: Instant.format(Instant.addMinutes(startTime, min_notice_minutes + hours * 60))
  }))

/** Returns the slots that an offering lists in its first week, or in its first two weeks for a class. */
export const listUpcomingSlots = (
  simulation: Simulation,
  offering: World.OfferingWithHours,
  periods: number
): Effect.Effect<ReadonlyArray<SlotView>> =>
  Effect.flatMap(simulation.now, (now) => {
    const from = getLocalDate(simulation.zone, Instant.addMinutes(now, offering.min_notice_minutes))
    const to = LocalDate.addDays(from, offering.kind === "class" ? 13 : 6)
    return simulation.listSlots(offering, { from, to, periods })
  })
