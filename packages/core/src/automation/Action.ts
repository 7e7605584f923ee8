/** Suggestions from automations. A suggestion is a list of operations to run in order, each with facts and a reason. */
import * as Instant from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { AutomationName } from "./Automation.ts"
import type { MessageTemplate } from "./messageTemplates.ts"
import { canReceiveMessages, type Trip } from "./Trip.ts"

export const actionKinds = [
  "cancel_session",
  "cancel_booking",
  "move_booking",
  "create_session",
  "message",
  "remind"
] as const

export type ActionKind = (typeof actionKinds)[number]

/** The reason for an action. Revalidation depends on it. */
export type ActionReason = "weather" | "full" | "few" | "see_you" | "before_24h" | "before_2h" | "after_6h" | "balance"

/**
 * The facts about an action. They are shown to people, so the fields have the same names as in the API. Times are ISO
 * 8601 in UTC.
 */
export interface ActionFacts {
  readonly why: ActionReason
  /** A sentence for the outfitter. */
  readonly reason: string
  readonly offering?: string
  readonly offering_id?: string
  /** The trip's start when the proposal was created. */
  readonly starts_at?: string
  readonly session_id?: string
  readonly booking_id?: string
  /** The bookings in the session when the proposal was created. For a message to one guest, that guest's bookings. */
  readonly booking_ids?: ReadonlyArray<string>
  /** The number of booked seats, people, or items. */
  readonly guests?: number
  /** The start of the session that is created or that bookings move to. */
  readonly to?: string
  readonly refund_cents?: number
  /** The subject and body of a message. */
  readonly subject?: string
  readonly body?: string
  /** Whether a person edited the text. */
  readonly reworded?: true
}

/** The result of an action. */
export interface ActionResult {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: string
}

export interface Action {
  readonly kind: ActionKind
  /** The operation to run, such as `sessions.create`. */
  readonly op: string
  readonly input: { readonly [field: string]: unknown }
  readonly facts: ActionFacts
  /** Whether the action refunds money. */
  readonly money?: true
  readonly reversible?: true
  readonly result?: ActionResult
  /** The operation that undoes the action. Set once the action has run. */
  readonly undo?: { readonly op: string; readonly input: { readonly [field: string]: unknown } }
}

/** Returns the ID of the resource that an action created or changed, if there is exactly one. */
export const findResourceId = (result: ActionResult | undefined): string | undefined => {
  const data = result?.data
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "string" ? data.id : undefined
}

/** Returns whether the action notifies guests. */
export const isGuestFacing = ({ kind }: Pick<Action, "kind">): boolean => kind !== "create_session"

/**
 * Removes the text that a person edited. The text stays in the sent message, where an erasure request can still find
 * it.
 */
export const removeCustomText = (action: Action): Action => {
  if (action.facts.reworded !== true) return action
  const { body: _body, subject: _subject, ...input } = action.input
  const { body: _told, subject: _called, ...facts } = action.facts
  return { ...action, input, facts }
}

/** Returns the total refund of these actions, in cents. */
export const sumRefundCents = (actions: ReadonlyArray<Pick<Action, "money" | "facts">>): number =>
  actions.reduce((sum, { facts, money }) => money === true ? sum + (facts.refund_cents ?? 0) : sum, 0)

/** A proposal that an automation suggests. An org has at most one proposal per automation, subject, and day. */
export interface Suggestion {
  readonly automation: AutomationName
  readonly subject: string
  /** The local date of the proposal. */
  readonly day: LocalDate
  readonly title: string
  readonly sessionId: string | null
  readonly bookingId: string | null
  readonly data: { readonly [name: string]: unknown }
  readonly actions: ReadonlyArray<Action>
  /** The time when the proposal expires and can no longer run. */
  readonly expiresAt: Instant.Instant
}

/** Creates a cancellation and flags it if it refunds money. */
const cancelAction =
  (kind: "cancel_session" | "cancel_booking", op: string) => (id: string, facts: ActionFacts): Action => ({
    kind,
    op,
    input: { id },
    facts,
    ...((facts.refund_cents ?? 0) > 0 ? { money: true as const } : {})
  })

export const makeCancelSessionAction = cancelAction("cancel_session", "sessions.cancel")

export const makeCancelBookingAction = cancelAction("cancel_booking", "bookings.cancel")

export const makeMoveBookingAction = (
  input: { readonly id: string } & ({ readonly session_id: string } | { readonly starts_at: string }),
  facts: ActionFacts
): Action => ({ kind: "move_booking", op: "bookings.move", input, facts })

/** Creates a message to a booking's guest. A message's facts include its text. */
export const makeSendMessageAction = (booking_id: string, words: MessageTemplate, facts: ActionFacts): Action => ({
  kind: "message",
  op: "messages.send",
  input: { booking_id, ...words },
  facts: { ...facts, ...words }
})

/** Creates a message to all guests in a session or on a date. */
export const makeSendBroadcastAction = (
  target: { readonly session_id: string } | { readonly date: string },
  words: MessageTemplate,
  facts: ActionFacts
): Action => ({
  kind: "message",
  op: "messages.broadcast",
  input: { target, ...words },
  facts: { ...facts, ...words }
})

/**
 * Creates the cancellation of a session, after a message to its guests if any guest can receive it. The broadcast comes
 * first, because it reaches only guests who are still in the session.
 */
export const makeSessionCancellation = (
  sessionId: string,
  parties: Trip["parties"],
  message: MessageTemplate,
  facts: ActionFacts
): ReadonlyArray<Action> => {
  const cancel = makeCancelSessionAction(sessionId, facts)
  return parties.some(canReceiveMessages)
    ? [makeSendBroadcastAction({ session_id: sessionId }, message, facts), cancel]
    : [cancel]
}

/** Returns the facts that identify a trip. */
export const toTripFacts = (
  { offering, offeringId, startsAt }: Pick<Trip, "offering" | "offeringId" | "startsAt">
) => ({
  offering,
  offering_id: offeringId,
  starts_at: Instant.format(startsAt)
})
