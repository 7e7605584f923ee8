/**
 * Creates the actions that automations propose. Actions that refund money are marked. A message's facts include its
 * text.
 */
import * as Instant from "../time/Instant.ts"
import type { Action, Facts } from "./Action.ts"
import type { MessageTemplate } from "./messageTemplates.ts"
import type { Trip } from "./Trip.ts"

const cancelAction = (kind: "cancel_session" | "cancel_booking", op: string) => (id: string, facts: Facts): Action => ({
  kind,
  op,
  input: { id },
  facts,
  ...((facts.refund_cents ?? 0) > 0 ? { money: true as const } : {})
})

export const cancelSession = cancelAction("cancel_session", "sessions.cancel")

export const cancelBooking = cancelAction("cancel_booking", "bookings.cancel")

export const moveBooking = (
  input: { readonly id: string } & ({ readonly session_id: string } | { readonly starts_at: string }),
  facts: Facts
): Action => ({ kind: "move_booking", op: "bookings.move", input, facts })

export const writeTo = (booking_id: string, words: MessageTemplate, facts: Facts): Action => ({
  kind: "message",
  op: "messages.send",
  input: { booking_id, ...words },
  facts: { ...facts, ...words }
})

/** Creates a message to all guests in a session or on a date. */
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

/** Returns the facts that identify a trip. */
export const tripFacts = ({ offering, offeringId, startsAt }: Pick<Trip, "offering" | "offeringId" | "startsAt">) => ({
  offering,
  offering_id: offeringId,
  starts_at: Instant.format(startsAt)
})
