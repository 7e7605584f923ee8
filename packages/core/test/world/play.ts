/** Runs scripts. Resolves each step's references and runs the step. */
import { listPossibleSpans } from "@trailbook/core/availability/remainingSlots"
import type { Booking } from "@trailbook/core/booking/Booking"
import type { BookingEvent } from "@trailbook/core/booking/BookingDecider"
import type { CreateBookingRequest } from "@trailbook/core/booking/createBooking"
import type { Span } from "@trailbook/core/offering/listSlots"
import type { Offering } from "@trailbook/core/offering/Offering"
import * as Instant from "@trailbook/core/time/Instant"
import type { BookingWish, Step } from "../generators/script.ts"
import {
  type Answer,
  cancelSession,
  change,
  changeCustomer,
  changeOffering,
  type Destination,
  sell,
  sweep
} from "./change.ts"
import { place, type World } from "./World.ts"

/** A step with its outcome. */
export interface PlayedStep {
  readonly step: Step["_tag"]
  readonly before: World
  readonly after: World
  readonly orders: ReadonlyArray<CreateBookingRequest>
  readonly answers: ReadonlyArray<Answer>
  /** The decisions about single bookings. Sales appear only in the world's `events`. */
  readonly decided: ReadonlyArray<{ readonly booking: Booking; readonly events: ReadonlyArray<BookingEvent> }>
}

const pickRow = <A>(rows: ReadonlyArray<A>, at: number): A | undefined => rows[at % Math.max(1, rows.length)]

const orgIdOf = (world: World, n: number): string => [...world.orgs.keys()][n] ?? ""

const offeringsOf = (world: World, orgId: string) => world.offerings.filter((one) => one.orgId === orgId)

/** Returns the spans listed for the next `hours` hours, by default 2 days. */
export const listSpans = (world: World, offering: Offering, periods: number, hours = 48): ReadonlyArray<Span> =>
  listPossibleSpans({ ...place(world, offering.orgId), now: world.now, offering }, {
    from: world.now,
    to: Instant.addMinutes(world.now, hours * 60),
    length: { periodMinutes: offering.durationMinutes, periods }
  })

/** Returns one of the first ten spans, which are usually within the opening hours. */
const oneOfTen = (world: World, offering: Offering, periods: number, pick: number): Span | undefined => {
  const soon = listSpans(world, offering, periods, 6)
  return pickRow(soon.length < 10 ? listSpans(world, offering, periods) : soon, pick % 10)
}

export const orderOf = (world: World, wished: BookingWish, at: number): CreateBookingRequest => {
  const orgId = orgIdOf(world, wished.org)
  const offering = pickRow(offeringsOf(world, orgId), wished.offering)!
  const isClass = offering.kind === "class"
  const sessions = world.sessions.filter((one) => one.orgId === orgId && one.offeringId === offering.id)
  const periods = offering.kind === "rental" ? wished.periods : undefined
  const span = isClass ? undefined : oneOfTen(world, offering, periods ?? 1, wished.start)
  const astray = wished.astray === undefined ? undefined : Instant.addMinutes(world.now, wished.astray * 15)
  const { guest } = wished
  const customers = world.customers.filter((one) => one.orgId === orgId)
  const wish = {
    orgId,
    source: wished.source,
    offeringId: offering.id,
    sessionId: isClass ? pickRow(sessions, wished.start)?.id ?? "nowhere" : undefined,
    startsAt: isClass ? undefined : astray ?? span?.startsAt ?? world.now,
    quantity: wished.quantity,
    periods,
    customerId: typeof guest === "number" ? pickRow(customers, guest)?.id ?? "nobody" : undefined,
    contact: typeof guest === "number" ? undefined : {
      email: guest.email,
      ...(guest.name === undefined ? {} : { name: guest.name }),
      ...(guest.phone === undefined ? {} : { phone: guest.phone })
    },
    notes: wished.notes,
    holdMinutes: wished.holdMinutes
  }
  const key = wished.key === undefined ? `own-${world.drawn}-${at}` : `shared-${wished.key}`
  return { ...wish, idempotency: { key, fingerprint: JSON.stringify(wish) } }
}

export const destinationOf = (world: World, booking: Booking, start: number): Destination => {
  const { offeringId, orgId, periodMinutes, periods, sessionId } = booking
  if (sessionId !== null) {
    const sessions = world.sessions.filter((one) => one.orgId === orgId && one.offeringId === offeringId)
    return { session: pickRow(sessions, start)! }
  }
  const offering = offeringsOf(world, orgId).find(({ id }) => id === offeringId)!
  const span = oneOfTen(world, { ...offering, durationMinutes: periodMinutes }, periods, start)
  return { startsAt: span?.startsAt ?? booking.startsAt }
}

const play = (world: World, step: Step): PlayedStep => {
  const noChange: PlayedStep = { step: step._tag, before: world, after: world, orders: [], answers: [], decided: [] }
  switch (step._tag) {
    case "sell": {
      const orders = step.wishes.map((wish, at) => orderOf(world, wish, at))
      const { answers, world: after } = sell(world, orders)
      return { ...noChange, after, orders, answers }
    }
    case "confirm":
    case "pay":
    case "move":
    case "cancel":
    case "restore": {
      const booking = pickRow(world.bookings, step.booking)
      if (booking === undefined) return noChange
      const { answer, events, world: after } = change(world, booking, keyedRequest(world, booking, step))
      return { ...noChange, after, answers: [answer], decided: [{ booking, events }] }
    }
    case "wait":
      return { ...noChange, after: { ...world, now: Instant.addMinutes(world.now, step.minutes) } }
    case "set": {
      const offering = pickRow(offeringsOf(world, orgIdOf(world, step.org)), step.offering)!
      return { ...noChange, after: changeOffering(world, offering, { _tag: "Update", patch: step.patch }) }
    }
    case "cancelSession": {
      const session = pickRow(world.sessions, step.row)
      return session === undefined ? noChange : { ...noChange, after: cancelSession(world, session) }
    }
    case "sweep":
      return { ...noChange, after: sweep(world) }
    case "erase": {
      const customer = pickRow(world.customers, step.row)
      if (customer === undefined) return noChange
      return { ...noChange, after: changeCustomer(world, customer, { _tag: "Erase", now: world.now }) }
    }
  }
}

const keyedRequest = (
  world: World,
  booking: Booking,
  step: Extract<Step, { readonly _tag: "confirm" | "pay" | "move" | "cancel" | "restore" }>
) => {
  switch (step._tag) {
    case "confirm":
      return { _tag: "Confirm" as const }
    case "pay":
      return { _tag: "Pay" as const, paymentIntentId: step.paymentIntentId }
    case "move":
      return { _tag: "Move" as const, to: destinationOf(world, booking, step.start) }
    case "cancel":
      return { _tag: "Cancel" as const }
    case "restore":
      return { _tag: "Restore" as const }
  }
}

export const playAll = (world: World, script: ReadonlyArray<Step>): ReadonlyArray<PlayedStep> => {
  const history: Array<PlayedStep> = []
  for (const step of script) history.push(play(history.at(-1)?.after ?? world, step))
  return history
}
