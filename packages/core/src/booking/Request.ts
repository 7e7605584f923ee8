/**
 * What the desk is asked: an order for a new booking, or a change of one that is
 * there; and which rows each of them locks.
 */
import type { Key } from "../offering/OfferingStore.ts"
import type { Booking } from "./Booking.ts"
import type { Change } from "./Change.ts"
import type { Draw, Order } from "./create.ts"

/**
 * Where a booking was when it was looked up, without a lock. It never leaves its
 * offering.
 *
 * @category models
 */
export type Seen = Pick<Booking, "offeringId" | "sessionId">

/**
 * @category models
 */
export type Request = { readonly order: Order } | {
  readonly change: Change
  readonly seen: Seen
  /**
   * Whether the row of a class is locked too. A class sells by its sessions and its
   * row is left to others, but a hold that ran out may take its place again in a
   * session that has begun, and for those no change of the class waits.
   */
  readonly locksClass: boolean
}

/**
 * The same with the chance that it needs, drawn before deciding.
 *
 * @category models
 */
export type Drawn =
  | Extract<Request, { readonly order: Order }> & { readonly draw: Draw }
  | Extract<Request, { readonly change: Change }> & {
    /** As many as one change can set going: a mail, a refund, checkouts to close. */
    readonly taskIds: ReadonlyArray<string>
    /** Of money that is no payment's yet. */
    readonly paymentId: string
  }

/**
 * @category calculating
 */
export const orgOf = (request: Request): string => "order" in request ? request.order.orgId : request.change.key.orgId

/**
 * The rows of places that a request locks, and the class that it reads by the
 * lock of its session. A cancel takes nothing from anybody: it locks its booking
 * alone.
 *
 * @category calculating
 */
export const placesOf = (
  request: Request
): { readonly offering?: Key; readonly class?: Key; readonly sessions: ReadonlyArray<Key> } => {
  const orgId = orgOf(request)
  const named = (id: string): Key => ({ orgId, id })
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
 *
 * @category calculating
 */
export const keysOf = (request: Request): ReadonlyArray<string> => {
  const { offering, sessions } = placesOf(request)
  const keys = [...sessions, ...(offering === undefined ? [] : [offering])].map(({ id, orgId }) => `${orgId} ${id}`)
  if (keys.length > 0 || "order" in request) return keys
  const { offeringId, sessionId } = request.seen
  return [`${orgOf(request)} ${sessionId ?? offeringId}`]
}
