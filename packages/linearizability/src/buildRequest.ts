import * as Instant from "@trailbook/core/time/Instant"
import type { Operation } from "./History.ts"
import type { OfferingRecord } from "./HistoryRecorder.ts"
import type { PlannedCall } from "./script.ts"

/** A call in wire format and in recorded form. */
export interface CallRequest {
  readonly name: string
  readonly input: { readonly [field: string]: unknown }
  readonly operation: Operation
}

const missingId = "ffffffff-ffff-7fff-8fff-ffffffffffff"
const minuteMs = 60_000

/** Builds a step's request from the rows that the clients know at the time. */
export const buildRequest = (
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
