/**
 * What an automation proposes, and what it is made of: operations of the registry, in
 * their order, each with what it is about and why.
 */
import type { Instant } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { AutomationName } from "./Automation.ts"

/**
 * @category models
 */
export const actionKinds = [
  "cancel_session",
  "cancel_booking",
  "move_booking",
  "create_session",
  "message",
  "remind"
] as const

/**
 * @category models
 */
export type ActionKind = (typeof actionKinds)[number]

/**
 * Why something is proposed, by which it is told later whether that still holds.
 *
 * @category models
 */
export type ActionReason = "weather" | "full" | "few" | "see_you" | "before_24h" | "before_2h" | "after_6h"

/**
 * What an action is about, by its names on the wire: people read it. Times are ISO 8601 in UTC.
 *
 * @category models
 */
export interface Facts {
  readonly why: ActionReason
  /** A sentence for the outfitter. */
  readonly reason: string
  readonly offering?: string
  readonly offering_id?: string
  /** When what it is about starts, as it was when this was proposed. */
  readonly starts_at?: string
  readonly session_id?: string
  readonly booking_id?: string
  /** The bookings in the session when this was proposed; of a message to one guest, the guest's bookings. */
  readonly booking_ids?: ReadonlyArray<string>
  /** Seats, people or items that are booked. */
  readonly guests?: number
  /** Where it moves to, or what is opened. */
  readonly to?: string
  readonly refund_cents?: number
  /** The words of a message. */
  readonly subject?: string
  readonly body?: string
  /** They are, or were, a person's own. */
  readonly reworded?: true
}

/**
 * What came of an action.
 *
 * @category models
 */
export interface Result {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: string
}

/**
 * @category models
 */
export interface Action {
  readonly kind: ActionKind
  /** The operation that it runs, such as sessions.create. */
  readonly op: string
  readonly input: { readonly [field: string]: unknown }
  readonly facts: Facts
  /** It refunds. */
  readonly money?: true
  readonly reversible?: true
  readonly result?: Result
  /** How it is taken back; known once it has run. */
  readonly undo?: { readonly op: string; readonly input: { readonly [field: string]: unknown } }
}

/**
 * The ID of the resource that an action created or changed, if it is exactly one.
 *
 * @category getters
 */
export const idIn = (result: Result | undefined): string | undefined => {
  const data = result?.data
  return typeof data === "object" && data !== null && "id" in data && typeof data.id === "string" ? data.id : undefined
}

/**
 * Whether guests hear of it when it is done.
 *
 * @category predicates
 */
export const isGuestFacing = ({ kind }: Pick<Action, "kind">): boolean => kind !== "create_session"

/**
 * The same action without the words of a person: what was sent says them, and an
 * erasure finds them there.
 *
 * @category calculating
 */
export const withoutCustomText = (action: Action): Action => {
  if (action.facts.reworded !== true) return action
  const { body: _body, subject: _subject, ...input } = action.input
  const { body: _told, subject: _called, ...facts } = action.facts
  return { ...action, input, facts }
}

/**
 * What all of these refund, in cents.
 *
 * @category calculating
 */
export const refundCents = (actions: ReadonlyArray<Pick<Action, "money" | "facts">>): number =>
  actions.reduce((sum, { facts, money }) => money === true ? sum + (facts.refund_cents ?? 0) : sum, 0)

/**
 * What an automation would do. An org has one proposal for an automation, a subject
 * and a day: the same again is the same one.
 *
 * @category models
 */
export interface Suggestion {
  readonly automation: AutomationName
  readonly subject: string
  /** The local date that it is for. */
  readonly day: LocalDate
  readonly title: string
  readonly sessionId: string | null
  readonly bookingId: string | null
  readonly data: { readonly [name: string]: unknown }
  readonly actions: ReadonlyArray<Action>
  /** From then on it is too late. */
  readonly expiresAt: Instant
}
