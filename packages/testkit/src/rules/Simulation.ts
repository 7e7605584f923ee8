/**
 * Where a story is played: an org of its own over the storage that is given,
 * served by two processes, with a clock that goes as the story says. It asks and
 * answers by the API's operations alone.
 */
import { SlotView } from "@trailbook/core/availability/AvailabilityView"
import { BookingView } from "@trailbook/core/booking/BookingView"
import { HoursEntryView, OfferingView } from "@trailbook/core/offering/OfferingView"
import { localToday } from "@trailbook/core/offering/slots"
import * as Org from "@trailbook/core/org/Org"
import type { Refusal } from "@trailbook/core/Refusal"
import { BookedSessionView } from "@trailbook/core/session/SessionView"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { FakePayments } from "../fake/FakePayments.ts"
import * as SettableClock from "../fake/SettableClock.ts"
import * as TestIds from "../fake/TestIds.ts"
import * as Process from "../law/Process.ts"
import * as Store from "../law/Store.ts"
import type { Place } from "./count.ts"
import type { OfferingInput, OfferingSetup } from "./OfferingSetup.ts"
import * as World from "./World.ts"

/** The body of a request. */
export type Input = { readonly [field: string]: unknown }

/** What came of a request about a booking. */
export type Answer = Either.Either<BookingView, Refusal>

export interface Simulation {
  readonly orgId: string
  readonly zone: Zone.Zone
  readonly now: Effect.Effect<Instant.Instant>
  readonly setClock: (moment: Instant.Instant) => Effect.Effect<void>
  /** What there is now. */
  readonly world: Effect.Effect<World.World>
  /** Asks the two processes in turn. */
  readonly send: (name: string, input: Input) => Effect.Effect<Either.Either<unknown, Refusal>>
  /** Asks for something whose answer is a booking. */
  readonly ask: (name: string, input: Input) => Effect.Effect<Answer>
  /** What an offering lists for so many periods, from one local date to another; nothing for more than it allows. */
  readonly listed: (offering: World.OpenOffering, query: {
    readonly from: LocalDate.LocalDate
    readonly to: LocalDate.LocalDate
    readonly periods: number
  }) => Effect.Effect<ReadonlyArray<SlotView>>
  /** The slot that is listed for exactly this place. */
  readonly listedAt: (
    offering: World.OpenOffering,
    place: Pick<Place, "starts_at" | "session_id">,
    periods: number
  ) => Effect.Effect<SlotView | undefined>
  /** How many periods a booking was made for; the API does not show it. */
  readonly periodsOf: (booking: BookingView) => number
}

/** The processes, which know no org and serve one story after the other. */
export interface SimulatedServers {
  readonly outfit: OfferingSetup
  readonly zone: Zone.Zone
  readonly clock: SettableClock.SettableClock
  readonly processes: readonly [Process.Process, Process.Process]
  readonly newId: () => string
}

/**
 * Opens the house. `chance` keeps what it stores apart from what another run
 * left in the same storage.
 */
export const open = (
  outfit: OfferingSetup,
  chance: number
): Effect.Effect<SimulatedServers, never, Storage | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* SettableClock.make(Instant.min)
    const till = yield* Layer.build(Layer.fresh(FakePayments.layer))
    const start = (seed: number, desk: Parameters<typeof Process.start>[0]["desk"]) =>
      Process.start({ seed, desk }).pipe(Effect.provide(till), Effect.withClock(clock))
    const processes = [
      yield* start(chance + 1, "direct"),
      yield* start(chance + 2, { lanes: 2, batch: 8 })
    ] as const
    return { outfit, clock, processes, zone: Zone.get(outfit.timezone), newId: TestIds.make(chance).uuid }
  })

const Data = <A, I>(item: Schema.Schema<A, I>) => Schema.Struct({ data: Schema.Array(item) })
const sessionsOf = Schema.decodeUnknownSync(Data(BookedSessionView))
const bookingsOf = Schema.decodeUnknownSync(Data(BookingView))
const slotsOf = Schema.decodeUnknownSync(Data(SlotView))
const hoursOf = Schema.decodeUnknownSync(Data(HoursEntryView))
const bookingOf = Schema.decodeUnknownSync(BookingView)
const offeringOf = Schema.decodeUnknownSync(OfferingView)

/** More bookings than a story makes. */
const limit = 500

/**
 * Opens an org with the outfit's offerings, as a story begins. It dies when the
 * API refuses an offering: then it is the outfit that is wrong.
 */
export const openSimulation = (
  house: SimulatedServers,
  begins: Instant.Instant
): Effect.Effect<Simulation, never, Storage> =>
  Effect.gen(function*() {
    const { clock, newId, outfit, processes, zone } = house
    yield* clock.set(begins)
    const orgId = newId()
    const org = Org.make({ id: orgId, name: "Outfit", slug: `outfit-${orgId}`, timezone: zone.name, createdAt: begins })
    yield* Store.orgs.put(org)

    let turn = 0
    const call = (name: string, input: Input) =>
      Effect.suspend(() => processes[turn++ % 2 === 0 ? 0 : 1].call(orgId, name, input)).pipe(Effect.withClock(clock))
    const read = <A>(name: string, input: Input, decode: (answer: unknown) => A) =>
      Effect.map(Effect.orDie(call(name, input)), decode)

    const offerings = yield* Effect.forEach(outfit.offerings, (input) => offer(call, input, begins))
    const madeAt = new Map<string, number>()
    const periods = new Map<string, number>()
    const now = Effect.sync(() => Instant.make(clock.unsafeCurrentTimeMillis()))

    const listed: Simulation["listed"] = ({ id, kind, max_periods }, { from, periods, to }) =>
      periods > max_periods ? Effect.succeed([]) : read("availability.get", {
        id,
        from: LocalDate.format(from),
        to: LocalDate.format(to),
        ...(kind === "rental" ? { periods } : {})
      }, (answer) => slotsOf(answer).data)

    return {
      orgId,
      zone,
      now,
      setClock: clock.set,
      listed,
      listedAt: (offering, { session_id, starts_at }, periods) => {
        const date = localToday(zone, World.parseTimestamp(starts_at))
        return Effect.map(
          listed(offering, { from: date, to: date, periods }),
          (slots) => slots.find((slot) => slot.session_id === (session_id ?? undefined) && slot.starts_at === starts_at)
        )
      },
      periodsOf: ({ id }) => periods.get(id) ?? 1,
      send: (name, input) => Effect.either(call(name, input)),
      ask: (name, input) =>
        Effect.either(Effect.map(call(name, input), (answer) => {
          const booking = bookingOf(answer)
          if (!madeAt.has(booking.id)) madeAt.set(booking.id, madeAt.size)
          if (typeof input.periods === "number") periods.set(booking.id, input.periods)
          return booking
        })),
      world: Effect.gen(function*() {
        const bookings = yield* read("bookings.list", { limit }, (answer) => bookingsOf(answer).data)
        const sessions = offerings.some(({ kind }) => kind === "class")
          ? yield* read("sessions.list", { limit }, (answer) => sessionsOf(answer).data)
          : []
        const inOrder = bookings.toSorted((a, b) => (madeAt.get(a.id) ?? Infinity) - (madeAt.get(b.id) ?? Infinity))
        return World.make(zone, yield* now, { offerings, sessions, bookings: inOrder })
      })
    }
  })

type Call = (name: string, input: Input) => Effect.Effect<unknown, Refusal>

const offer = (call: Call, { hours, sessions, ...input }: OfferingInput, begins: Instant.Instant) =>
  Effect.gen(function*() {
    const offering = offeringOf(yield* call("offerings.create", input))
    const { id, kind } = offering
    // As they were set, not as they are stored: laws go by what the outfitter said.
    const open = hours === undefined
      ? kind === "class" ? [] : nineToFive
      : hoursOf(yield* call("offerings.set_hours", { id, hours })).data
    for (const session of sessions ?? (kind === "class" ? someSessions(offering, begins) : [])) {
      yield* call("sessions.create", { ...session, offering_id: id })
    }
    return { ...offering, hours: World.toRuleHours(open) }
  }).pipe(
    Effect.mapError(({ code, message }) => new Error(`The offering "${input.name}" is refused, ${code}: ${message}`)),
    Effect.orDie
  )

/** What appointments and rentals are open until hours are set. */
const nineToFive: ReadonlyArray<HoursEntryView> = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  start_time: "09:00:00",
  end_time: "17:00:00"
}))

/** An hour, and a day and an hour, after they may first be booked. */
const someSessions = ({ min_notice_minutes }: OfferingView, begins: Instant.Instant): ReadonlyArray<Input> =>
  [1, 25].map((hours) => ({ starts_at: Instant.format(Instant.addMinutes(begins, min_notice_minutes + hours * 60)) }))

/**
 * What a booking of an offering may be asked for, as its first week lists it;
 * a class two.
 */
export const comingSlots = (
  play: Simulation,
  offering: World.OpenOffering,
  periods: number
): Effect.Effect<ReadonlyArray<SlotView>> =>
  Effect.flatMap(play.now, (now) => {
    const from = localToday(play.zone, Instant.addMinutes(now, offering.min_notice_minutes))
    const to = LocalDate.addDays(from, offering.kind === "class" ? 13 : 6)
    return play.listed(offering, { from, to, periods })
  })
