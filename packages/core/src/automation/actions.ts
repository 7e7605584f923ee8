/**
 * What automations propose, as the operations that do it. What refunds says so, and words are also told of.
 */
import * as Instant from "../time/Instant.ts"
import type { Action, Facts } from "./Action.ts"
import type { MessageTemplate } from "./messageTemplates.ts"
import type { Trip } from "./Trip.ts"

const cancelling = (kind: "cancel_session" | "cancel_booking", op: string) => (id: string, facts: Facts): Action => ({
  kind,
  op,
  input: { id },
  facts,
  ...((facts.refund_cents ?? 0) > 0 ? { money: true as const } : {})
})

/**
 * @category constructors
 */
export const cancelSession = cancelling("cancel_session", "sessions.cancel")

/**
 * @category constructors
 */
export const cancelBooking = cancelling("cancel_booking", "bookings.cancel")

/**
 * @category constructors
 */
export const moveBooking = (
  input: { readonly id: string } & ({ readonly session_id: string } | { readonly starts_at: string }),
  facts: Facts
): Action => ({ kind: "move_booking", op: "bookings.move", input, facts })

/**
 * @category constructors
 */
export const writeTo = (booking_id: string, words: MessageTemplate, facts: Facts): Action => ({
  kind: "message",
  op: "messages.send",
  input: { booking_id, ...words },
  facts: { ...facts, ...words }
})

/**
 * To everybody in a session, or on a date.
 *
 * @category constructors
 */
export const writeToAll = (
  target: { readonly session_id: string } | { readonly date: string },
  words: MessageTemplate,
  facts: Facts
): Action => ({
  kind: "message",
  op: "messages.broadcast",
  input: { target, ...words },
  facts: { ...facts, ...words }
})

/**
 * The facts that name a trip.
 *
 * @category getters
 */
export const tripFacts = ({ offering, offeringId, startsAt }: Pick<Trip, "offering" | "offeringId" | "startsAt">) => ({
  offering,
  offering_id: offeringId,
  starts_at: Instant.format(startsAt)
})
