/**
 * An update of an existing booking. It names only the booking, so the place must be looked up before it can be locked.
 */
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Refusal } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import type { BookingRefusals } from "../BookingDecider.ts"

/** The target of a move: a session for a class, or else a start. */
export interface MoveTarget {
  readonly sessionId: string | undefined
  readonly startsAt: Instant | undefined
}

export type UpdateBooking =
  & { readonly key: OrgKey }
  & (
    | { readonly _tag: "Confirm" }
    | { readonly _tag: "Prove" }
    | {
      readonly _tag: "Pay"
      readonly paymentIntentId: string
      /** The payment that was requested; omitted if the caller knows only the booking. */
      readonly paymentId?: string
    }
    | { readonly _tag: "Move"; readonly to: MoveTarget; readonly isMailed?: boolean }
    | { readonly _tag: "Cancel"; readonly isMailed?: boolean }
  )

/** The errors that an update can fail with. */
export type UpdateRefusal<Tag extends UpdateBooking["_tag"] = UpdateBooking["_tag"]> =
  | Refusal<"not_found">
  | BookingRefusals[Tag]
