/** A request of the booking writer, either a create or an update, and the rows that it locks. */
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Booking } from "../Booking.ts"
import type { CreateBooking, GeneratedIds } from "../createBooking.ts"
import type { UpdateBooking } from "./UpdateBooking.ts"

/** The location of a booking when it was looked up, without a lock. A booking never changes its offering. */
export type KnownLocation = Pick<Booking, "offeringId" | "sessionId">

export type BookingRequest = { readonly order: CreateBooking } | {
  readonly change: UpdateBooking
  readonly seen: KnownLocation
  /**
   * Whether the row of a class is locked too. Normally only the session is locked. An expired hold, however, can be
   * confirmed in a session that has already started, and changes of the class do not lock such sessions.
   */
  readonly locksClass: boolean
}

/** The same request with random values, generated before the decision. */
export type RequestWithIds =
  | Extract<BookingRequest, { readonly order: CreateBooking }> & { readonly draw: GeneratedIds }
  | Extract<BookingRequest, { readonly change: UpdateBooking }> & {
    /** Enough IDs for all tasks of one update: a mail, a refund, and checkouts to expire. */
    readonly taskIds: ReadonlyArray<string>
    /** The ID for a payment that matches no requested payment. */
    readonly paymentId: string
  }

export const orgIdOfRequest = (request: BookingRequest): string =>
  "order" in request ? request.order.orgId : request.change.key.orgId

/**
 * The place rows that a request locks, and the class that it reads under the lock of the session. A cancel takes no
 * capacity, so it locks only its booking.
 */
export const lockKeys = (
  request: BookingRequest
): { readonly offering?: OrgKey; readonly class?: OrgKey; readonly sessions: ReadonlyArray<OrgKey> } => {
  const orgId = orgIdOfRequest(request)
  const named = (id: string): OrgKey => ({ orgId, id })
  if ("order" in request) {
    const { offeringId, sessionId } = request.order
    return sessionId === undefined
      ? { offering: named(offeringId), sessions: [] }
      : { class: named(offeringId), sessions: [named(sessionId)] }
  }
  const { change, locksClass, seen: { offeringId, sessionId } } = request
  if (change._tag === "Cancel") return { sessions: [] }
  if (sessionId === null) return { offering: named(offeringId), sessions: [] }
  const to = change._tag === "Move" ? change.to.sessionId ?? sessionId : sessionId
  const sessions = [...new Set([sessionId, to])].map(named)
  return { [locksClass ? "offering" : "class"]: named(offeringId), sessions }
}

/**
 * The keys that two running batches never share. Otherwise one batch would wait for the locks of the other, together
 * with all of its requests.
 */
export const batchKeys = (request: BookingRequest): ReadonlyArray<string> => {
  const { offering, sessions } = lockKeys(request)
  const keys = [...sessions, ...(offering === undefined ? [] : [offering])].map(({ id, orgId }) => `${orgId} ${id}`)
  if (keys.length > 0 || "order" in request) return keys
  const { offeringId, sessionId } = request.seen
  return [`${orgIdOfRequest(request)} ${sessionId ?? offeringId}`]
}
