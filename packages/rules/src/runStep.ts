/** Plays one step. Resolves the rows that the step refers to, sends the request, and returns it with the response. */
import type { Refusal } from "@trailbook/core"
import type { SlotView } from "@trailbook/core/availability"
import type { BookingView } from "@trailbook/core/booking"
import { getLocalDate } from "@trailbook/core/offering"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { addLocalDays } from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Place } from "./count.ts"
import type { QuantityChoice, StartChoice, Step, TimeTarget } from "./Scenario.ts"
import { type BookingResult, listUpcomingSlots, type RequestBody, type Simulation } from "./Simulation.ts"
import { type OfferingWithHours, parseTimestamp, type World } from "./World.ts"

/** A request and its result. */
export interface ExecutedRequest<out A = BookingView> {
  readonly name: string
  readonly input: RequestBody
  readonly result: Either.Either<A, Refusal>
}

interface Outcome<Tag extends string, A = BookingView> {
  readonly _tag: Tag
  readonly requests: ReadonlyArray<ExecutedRequest<A>>
}

/** The same request from one or more guests. */
export interface BookedOutcome extends Outcome<"Booked"> {
  readonly offering: OfferingWithHours
  readonly quantity: number
  readonly periods: number
  /** Undefined if the place was not listed immediately before the requests. */
  readonly listedSlot: SlotView | undefined
}

export interface ChangedOutcome<Tag extends string = "Confirmed" | "Cancelled"> extends Outcome<Tag> {
  readonly offering: OfferingWithHours
  readonly booking: BookingView
}

export interface MovedOutcome extends ChangedOutcome<"Moved">, Pick<BookedOutcome, "listedSlot"> {}

export type StepOutcome =
  | BookedOutcome
  | MovedOutcome
  | ChangedOutcome
  | Outcome<"Retried"> & { readonly first: BookingResult }
  | Outcome<"CalledOff", unknown> & { readonly sessionId: string }
  | Outcome<"Waited">
  /** The step had no row to refer to. */
  | Outcome<"Nothing">

const noOutcome: StepOutcome = { _tag: "Nothing", requests: [] }

export interface ScenarioState {
  lastCreate: ExecutedRequest | undefined
  requests: number
}

const pick = <A>(rows: ReadonlyArray<A>, at: number): A | undefined => rows[at % rows.length]

/** Usually picks a suitable booking, counting from the latest. Occasionally picks any booking. */
const pickBooking = (
  { bookings }: World,
  at: number,
  isSuitable: (booking: BookingView) => boolean
): BookingView | undefined => {
  const latestFirst = bookings.toReversed()
  return pick([...latestFirst.filter(isSuitable), ...latestFirst.filter((booking) => !isSuitable(booking))], at)
}

/** Returns whether a booking is a hold. Only holds can be confirmed, whether live or expired. */
const isHeld = ({ status }: BookingView): boolean => status === "held"

const isNotCancelled = ({ status }: BookingView): boolean => status !== "cancelled"

const execute = (simulation: Simulation, name: string, input: RequestBody): Effect.Effect<ExecutedRequest> =>
  Effect.map(simulation.sendBookingRequest(name, input), (result) => ({ name, input, result }))

export const runStep = (
  simulation: Simulation,
  world: World,
  memory: ScenarioState,
  step: Step
): Effect.Effect<StepOutcome> => {
  switch (step._tag) {
    case "Book":
      return book(simulation, world, memory, step)
    case "Move":
      return move(simulation, world, step)
    case "Confirm":
      return changeStatus(simulation, world, "Confirmed", pickBooking(world, step.booking, isHeld))
    case "Cancel":
      return changeStatus(simulation, world, "Cancelled", pickBooking(world, step.booking, isNotCancelled))
    case "Retry":
      return retry(simulation, memory)
    case "CancelSession":
      return cancelSession(simulation, pick(world.sessions, step.session))
    case "Wait":
      return wait(simulation, world, step.until)
  }
}

type StepWith<Tag extends Step["_tag"]> = Extract<Step, { readonly _tag: Tag }>

const names = ["ann", "ben", "cat"]

const book = (
  simulation: Simulation,
  world: World,
  memory: ScenarioState,
  step: StepWith<"Book">
): Effect.Effect<StepOutcome> =>
  Effect.gen(function*() {
    const offering = pick(world.offerings, step.offering)
    if (offering === undefined) return noOutcome
    const periods = offering.kind === "rental" ? resolveAmount(step.periods, offering.max_periods, 60, 1) : 1
    const start = yield* resolveStart(simulation, world, offering, step.start, periods)
    if (start === undefined) return noOutcome
    const slot = yield* simulation.findSlot(offering, start, periods)
    const quantity = resolveAmount(step.quantity, offering.max_per_booking, 10_000, slot?.remaining ?? 1)
    const request = {
      offering_id: offering.id,
      ...placeInput(start),
      ...(quantity === 1 ? {} : { quantity }),
      ...(periods === 1 ? {} : { periods }),
      ...(step.holdMinutes === undefined ? {} : { hold_minutes: step.holdMinutes })
    }
    // Send the requests concurrently to expose a faulty storage adapter, which might sell the same place several times
    // between its read and its write.
    const requests = yield* Effect.forEach(
      Array.from({ length: step.atOnce }, (_, at) => at),
      (at) =>
        execute(simulation, "bookings.create", {
          ...request,
          customer: { email: `${pick(names, step.guest + at)}@example.com` },
          idempotency_key: `00000000-0000-4000-8000-${String(memory.requests + at).padStart(12, "0")}`
        }),
      { concurrency: "unbounded" }
    )
    memory.requests += step.atOnce
    memory.lastCreate = requests[0]
    return { _tag: "Booked", offering, quantity, periods, listedSlot: slot, requests }
  })

const move = (simulation: Simulation, world: World, step: StepWith<"Move">): Effect.Effect<StepOutcome> =>
  Effect.gen(function*() {
    const booking = pickBooking(world, step.booking, isNotCancelled)
    const offering = findOffering(world, booking)
    if (booking === undefined || offering === undefined) return noOutcome
    const periods = simulation.periodsOf(booking)
    const worldWithout = { ...world, bookings: world.bookings.filter(({ id }) => id !== booking.id) }
    const target = yield* resolveStart(simulation, worldWithout, offering, step.start, periods)
    if (target === undefined) return noOutcome
    const slot = yield* simulation.findSlot(offering, target, periods)
    const requests = [yield* execute(simulation, "bookings.move", { id: booking.id, ...placeInput(target) })]
    return { _tag: "Moved", offering, booking, listedSlot: slot, requests }
  })

const operations = { Confirmed: "bookings.confirm", Cancelled: "bookings.cancel" } as const

const changeStatus = (
  simulation: Simulation,
  world: World,
  _tag: keyof typeof operations,
  booking: BookingView | undefined
): Effect.Effect<StepOutcome> => {
  const offering = findOffering(world, booking)
  return booking === undefined || offering === undefined
    ? Effect.succeed(noOutcome)
    : Effect.map(
      execute(simulation, operations[_tag], { id: booking.id }),
      (request) => ({ _tag, offering, booking, requests: [request] })
    )
}

const retry = (simulation: Simulation, memory: ScenarioState): Effect.Effect<StepOutcome> => {
  const { lastCreate } = memory
  if (lastCreate === undefined) return Effect.succeed(noOutcome)
  return Effect.map(execute(simulation, "bookings.create", lastCreate.input), (request) => {
    memory.lastCreate = request
    return { _tag: "Retried", first: lastCreate.result, requests: [request] }
  })
}

const cancelSession = (
  simulation: Simulation,
  session: World["sessions"][number] | undefined
): Effect.Effect<StepOutcome> => {
  if (session === undefined) return Effect.succeed(noOutcome)
  const input = { id: session.id }
  return Effect.map(simulation.send("sessions.cancel", input), (result) => ({
    _tag: "CalledOff",
    sessionId: session.id,
    requests: [{ name: "sessions.cancel", input, result }]
  }))
}

const wait = (simulation: Simulation, world: World, until: TimeTarget): Effect.Effect<StepOutcome> =>
  Effect.gen(function*() {
    const now = yield* simulation.now
    const target = yield* resolveUntil(simulation, world, now, until)
    if (target <= now) return noOutcome
    yield* simulation.setClock(target)
    return { _tag: "Waited", requests: [] }
  })

const findOffering = ({ offerings }: World, booking: BookingView | undefined): OfferingWithHours | undefined =>
  offerings.find(({ id }) => id === booking?.offering_id)

/** Returns the input that selects a place. A class is booked by session, and any other kind by start time. */
const placeInput = ({ session_id, starts_at }: Pick<Place, "starts_at" | "session_id">): RequestBody =>
  session_id === undefined || session_id === null ? { starts_at } : { session_id }

const resolveAmount = (amount: QuantityChoice, maximum: number, limit: number, remaining: number): number => {
  const amounts = {
    "one": 1,
    "two": 2,
    "all-left": remaining,
    "more-than-left": remaining + 1,
    most: maximum,
    "more-than-most": maximum + 1
  }
  return Math.max(1, Math.min(limit, amounts[amount]))
}

type WantedPlace = Pick<Place, "starts_at" | "session_id">

const resolveStart = (
  simulation: Simulation,
  world: World,
  offering: OfferingWithHours,
  { edge, nth }: StartChoice,
  periods: number
): Effect.Effect<WantedPlace | undefined> =>
  Effect.gen(function*() {
    if (offering.kind === "class") return pickSession(world, offering, edge, nth)
    const slots = yield* listUpcomingSlots(simulation, offering, Math.min(periods, offering.max_periods))
    const slot = pick(slots, nth)
    // If nothing is listed, request an unavailable place.
    if (slot === undefined) return { starts_at: Instant.format(Instant.addMinutes(yield* simulation.now, 60)) }
    const at = parseTimestamp(slot.starts_at)
    const placeAfter = (minutes: number, from = at): WantedPlace => ({
      starts_at: Instant.format(Instant.addMinutes(from, minutes))
    })
    switch (edge) {
      case "listed":
        return placeAfter(0)
      case "at-booking":
      case "after-booking":
      case "before-booking": {
        // An expired hold can still be confirmed, so other requests compete for its place.
        const nearBooking = pick(
          world.bookings.filter((booking) => booking.offering_id === offering.id && isNotCancelled(booking)),
          nth
        )
        return nearBooking === undefined
          ? placeAfter(0)
          : { starts_at: findAdjacentStart(nearBooking, slots, edge) ?? slot.starts_at }
      }
      case "minute-early":
        return placeAfter(-1)
      case "minute-late":
        return placeAfter(1)
      case "before-first":
        return placeAfter(-toIntervalMinutes(offering), parseTimestamp(slots[0]?.starts_at ?? slot.starts_at))
      case "after-last": {
        const date = getLocalDate(simulation.zone, at)
        const last = slots.findLast(({ starts_at }) =>
          getLocalDate(simulation.zone, parseTimestamp(starts_at)) === date
        )
        return placeAfter(toIntervalMinutes(offering), parseTimestamp(last?.starts_at ?? slot.starts_at))
      }
      case "horizon":
      case "beyond-horizon": {
        const date = LocalDate.addDays(getLocalDate(simulation.zone, yield* simulation.now), offering.max_advance_days)
        const last = pick(yield* simulation.listSlots(offering, { from: date, to: date, periods }), nth)
        if (last === undefined) return placeAfter(0)
        if (edge === "horizon") return { starts_at: last.starts_at }
        return { starts_at: Instant.format(addLocalDays(simulation.zone, parseTimestamp(last.starts_at), 1)) }
      }
    }
  })

const findAdjacentStart = (
  { ends_at, starts_at }: BookingView,
  slots: ReadonlyArray<SlotView>,
  edge: "at-booking" | "after-booking" | "before-booking"
): string | undefined => {
  switch (edge) {
    case "at-booking":
      return starts_at
    case "after-booking":
      return slots.find((slot) => slot.starts_at >= ends_at)?.starts_at
    case "before-booking":
      return slots.findLast((slot) => slot.ends_at <= starts_at)?.starts_at
  }
}

/** Picks a bookable session for a listed start. Otherwise, picks any session, including canceled and past ones. */
const pickSession = (
  world: World,
  offering: OfferingWithHours,
  edge: StartChoice["edge"],
  nth: number
): WantedPlace | undefined => {
  const offeringSessions = world.sessions.filter(({ offering_id }) => offering_id === offering.id)
  const upcomingSessions = offeringSessions.filter(({ starts_at, status }) =>
    status === "scheduled" && starts_at > world.now
  )
  const session = pick(edge === "listed" && upcomingSessions.length > 0 ? upcomingSessions : offeringSessions, nth)
  return session === undefined ? undefined : { session_id: session.id, starts_at: session.starts_at }
}

const toIntervalMinutes = ({ buffer_minutes, duration_minutes, slot_interval_minutes }: OfferingWithHours): number =>
  slot_interval_minutes ?? duration_minutes + buffer_minutes

const resolveUntil = (simulation: Simulation, { live, offerings }: World, now: Instant.Instant, until: TimeTarget) =>
  Effect.gen(function*() {
    if ("minutes" in until) return Instant.addMinutes(now, until.minutes)
    const pickMoment = (moments: ReadonlyArray<number>) => {
      const futureMoments = moments.filter((moment) => moment > now).toSorted((a, b) => a - b)
      const moment = pick(futureMoments, until.nth)
      return moment === undefined ? Instant.addMinutes(now, 30) : Instant.make(moment + until.ms)
    }
    switch (until.edge) {
      case "hold":
        return pickMoment(live.flatMap(({ expires_at }) => expires_at === null ? [] : [parseTimestamp(expires_at)]))
      case "start":
        return pickMoment(live.map(({ starts_at }) => parseTimestamp(starts_at)))
      case "notice": {
        const offering = pick(offerings, until.nth)
        if (offering === undefined) return now
        const slots = yield* listUpcomingSlots(simulation, offering, 1)
        return pickMoment(
          slots.map(({ starts_at }) => Instant.addMinutes(parseTimestamp(starts_at), -offering.min_notice_minutes))
        )
      }
    }
  })
