/**
 * What may be asked of a booking that is there. A change names a booking and no
 * place: where that is has to be looked up before anything can be locked.
 */
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Refusal } from "../../Refusal.ts"
import type { Instant } from "../../time/Instant.ts"
import type { BookingRefusals } from "../BookingDecider.ts"

/** Where a booking shall move to: a session for a class, a start for the rest. */
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
      /** The payment that it was asked for; left out where whoever reports knows the booking only. */
      readonly paymentId?: string
    }
    | { readonly _tag: "Move"; readonly to: MoveTarget; readonly isMailed?: boolean }
    | { readonly _tag: "Cancel"; readonly isMailed?: boolean }
  )

/** What a change may be refused with. */
export type UpdateRefusal<Tag extends UpdateBooking["_tag"] = UpdateBooking["_tag"]> =
  | Refusal<"not_found">
  | BookingRefusals[Tag]
