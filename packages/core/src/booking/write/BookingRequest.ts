/** Create and update requests for the booking writer, and the rows that they lock. */
import * as Data from "effect/Data"
import type { DiscountCodeKey } from "../../offering/discount/DiscountCode.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { DeskEntryInput } from "../../payment/ledger/deskEntry.ts"
import type { RefundChoice } from "../../pricing/CancellationPolicy.ts"
import type { Refusal } from "../../Refusal.ts"
import type { CancellationMailKind } from "../../task/Task.ts"
import type { Instant } from "../../time/Instant.ts"
import type { Booking } from "../Booking.ts"
import type { BookingRefusals } from "../BookingDecider.ts"
import type {
  CreateBookingRefusal,
  CreateBookingRequest,
  NewBookingIds,
  PaymentStatusRequired
} from "../createBooking.ts"
import type { BookingChangeRequest } from "../price/computeChangedPrice.ts"

/** A move's target: a session for a class, or a start for other offerings. */
export interface MoveTarget {
  readonly sessionId: string | undefined
  readonly startsAt: Instant | undefined
}

/** An update of a booking. It names only the booking, so the place must be looked up before it can be locked. */
export type UpdateBookingRequest =
  & { readonly key: OrgKey }
  & (
    | { readonly _tag: "Confirm" }
    | { readonly _tag: "Prove" }
    | {
      readonly _tag: "Restore"
      /** The discount code in the canceled booking's terms. */
      readonly discountCode?: string | undefined
    }
    | {
      readonly _tag: "Pay"
      readonly paymentIntentId: string
      /** The payment that was requested. Omitted if the caller knows only the booking. */
      readonly paymentId?: string
    }
    | { readonly _tag: "Move"; readonly to: MoveTarget; readonly isMailed?: boolean; readonly byGuest?: boolean }
    | { readonly _tag: "Change"; readonly change: BookingChangeRequest; readonly isMailed?: boolean }
    | { readonly _tag: "Cancel"; readonly mail?: CancellationMailKind | null; readonly refund?: RefundChoice }
    /** Confirms a hold and records a payment at the desk. */
    | { readonly _tag: "Record"; readonly money: DeskEntryInput; readonly allowsOverpayment: boolean }
    /** With a `method`, records money returned at the desk. Without one, refunds one or all online payments. */
    | {
      readonly _tag: "Refund"
      readonly money: Omit<DeskEntryInput, "method">
      readonly method: DeskEntryInput["method"] | undefined
      readonly paymentId: string | undefined
      readonly reducesPrice: boolean
    }
  )

export type UpdateBookingRefusal<Tag extends UpdateBookingRequest["_tag"] = UpdateBookingRequest["_tag"]> =
  | Refusal<"not_found">
  | (Tag extends keyof BookingRefusals ? BookingRefusals[Tag]
    : Tag extends "Refund" ? Refusal<"amount_too_large" | "invalid_request">
    : BookingRefusals["Confirm"] | Refusal<"amount_too_large">)

export type BookingRequest = { readonly create: CreateBookingRequest } | {
  readonly update: UpdateBookingRequest
  /** The location from a lookup without a lock. A booking never changes its offering. */
  readonly location: Pick<Booking, "offeringId" | "sessionId">
  /**
   * Whether the class row is also locked. Usually only the session is locked, and changes to the class do not lock
   * sessions that have already started. However, in such a session, an expired hold can still be confirmed, and a party
   * can grow.
   */
  readonly locksClass: boolean
}

/**
 * The required rows are not locked, or the usage was read as of a different time. This happens if this booking or
 * another booking in the batch was moved or expired before the rows were locked. Nothing is stored for the request, and
 * it is retried.
 */
export class StaleRead extends Data.TaggedError("StaleRead")<{}> {}

export type BookingRequestRefusal = CreateBookingRefusal | PaymentStatusRequired | UpdateBookingRefusal | StaleRead

/** A request with its random values. They are generated before the decision, so that the decision stays pure. */
export type RequestWithIds = BookingRequest & { readonly ids: GeneratedIds }

export interface GeneratedIds extends NewBookingIds {
  readonly paymentId: string
  /** The IDs for a request's tasks: enough for an email, a refund, and the tasks that open or close checkouts. */
  readonly taskIds: ReadonlyArray<string>
}

/** Returns a function that yields the generated IDs one at a time. */
export const makeIdSupplier = (ids: ReadonlyArray<string>): () => string => {
  let nextIndex = 0
  return () => {
    const id = ids[nextIndex++]
    if (id === undefined) throw new Error("Invariant violated: not enough generated IDs")
    return id
  }
}

export const getRequestOrgId = (request: BookingRequest): string =>
  "create" in request ? request.create.orgId : request.update.key.orgId

/** Returns the discount code that a request adds or reuses. The code is locked after the place. */
export const findDiscountCodeKey = (request: BookingRequest): DiscountCodeKey | undefined => {
  const code = "create" in request
    ? request.create.discountCode
    : request.update._tag === "Change"
    ? request.update.change.discountCode
    : request.update._tag === "Restore"
    ? request.update.discountCode
    : undefined
  return code === undefined || code === null ? undefined : { orgId: getRequestOrgId(request), code }
}

/**
 * Returns the place rows that a request locks, and the class that it reads under the session lock. A cancellation takes
 * no capacity, so it locks only its booking.
 */
export const getLockKeys = (
  request: BookingRequest
): { readonly offering?: OrgKey; readonly class?: OrgKey; readonly sessions: ReadonlyArray<OrgKey> } => {
  const orgId = getRequestOrgId(request)
  const keyOf = (id: string): OrgKey => ({ orgId, id })
  if ("create" in request) {
    const { isWalkIn = false, offeringId, sessionId } = request.create
    if (sessionId === undefined) return { offering: keyOf(offeringId), sessions: [] }
    // A walk-in's session may have already started, and changes to the class do not lock such sessions.
    return { [isWalkIn ? "offering" : "class"]: keyOf(offeringId), sessions: [keyOf(sessionId)] }
  }
  const { location: { offeringId, sessionId }, locksClass, update } = request
  if (update._tag === "Cancel") return { sessions: [] }
  if (sessionId === null) return { offering: keyOf(offeringId), sessions: [] }
  const targetSessionId = update._tag === "Move" ? update.to.sessionId ?? sessionId : sessionId
  const sessions = [...new Set([sessionId, targetSessionId])].map(keyOf)
  return { [locksClass ? "offering" : "class"]: keyOf(offeringId), sessions }
}

/**
 * Returns the keys that no two running batches may share. If two batches shared a key, all requests in one batch would
 * wait for the other batch's locks.
 */
export const getBatchKeys = (request: BookingRequest): ReadonlyArray<string> => {
  const { offering, sessions } = getLockKeys(request)
  const code = findDiscountCodeKey(request)
  const keys = [...sessions, ...(offering === undefined ? [] : [offering])].map(({ id, orgId }) => `${orgId} ${id}`)
  if (code !== undefined) return [...keys, `${code.orgId} ${code.code}`]
  if (keys.length > 0 || "create" in request) return keys
  const { offeringId, sessionId } = request.location
  return [`${getRequestOrgId(request)} ${sessionId ?? offeringId}`]
}
