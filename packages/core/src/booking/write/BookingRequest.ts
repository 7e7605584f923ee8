/**
 * What the desk is asked: an order for a new booking, or a change of one that is
 * there; and which rows each of them locks.
 */
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Booking } from "../Booking.ts"
import type { CreateBooking, GeneratedIds } from "../createBooking.ts"
import type { UpdateBooking } from "./UpdateBooking.ts"

/**
 * Where a booking was when it was looked up, without a lock. It never leaves its
 * offering.
 */
export type KnownLocation = Pick<Booking, "offeringId" | "sessionId">

export type BookingRequest = { readonly order: CreateBooking } | {
  readonly change: UpdateBooking
  readonly seen: KnownLocation
  /**
   * Whether the row of a class is locked too. A class sells by its sessions and its
   * row is left to others, but a hold that ran out may take its place again in a
   * session that has begun, and for those no change of the class waits.
   */
  readonly locksClass: boolean
}

/** The same with the chance that it needs, drawn before deciding. */
export type RequestWithIds =
  | Extract<BookingRequest, { readonly order: CreateBooking }> & { readonly draw: GeneratedIds }
  | Extract<BookingRequest, { readonly change: UpdateBooking }> & {
    /** As many as one change can set going: a mail, a refund, checkouts to close. */
    readonly taskIds: ReadonlyArray<string>
    /** Of money that is no payment's yet. */
    readonly paymentId: string
  }

export const orgIdOfRequest = (request: BookingRequest): string =>
  "order" in request ? request.order.orgId : request.change.key.orgId

/**
 * The rows of places that a request locks, and the class that it reads by the
 * lock of its session. A cancel takes nothing from anybody: it locks its booking
 * alone.
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
 * Names of what no two batches may want at a time: one of them would wait at its
 * locks, and with it everybody else in its batch.
 */
export const batchKeys = (request: BookingRequest): ReadonlyArray<string> => {
  const { offering, sessions } = lockKeys(request)
  const keys = [...sessions, ...(offering === undefined ? [] : [offering])].map(({ id, orgId }) => `${orgId} ${id}`)
  if (keys.length > 0 || "order" in request) return keys
  const { offeringId, sessionId } = request.seen
  return [`${orgIdOfRequest(request)} ${sessionId ?? offeringId}`]
}
