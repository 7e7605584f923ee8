/**
 * @since 0.1.0
 */
import type { BookingRecord } from "../booking/BookingView.ts"
import type { Org } from "../org/Org.ts"
import type { Errand, ErrandKind } from "../port/Outbox.ts"
import type { Mail } from "./Mailer.ts"

/**
 * The message that tells a guest of their booking as it is now.
 *
 * @since 0.1.0
 * @category converting
 */
export const compose = (
  errand: Pick<Errand, "id">,
  kind: Exclude<ErrandKind, "refund">,
  record: BookingRecord,
  org: Org,
  publicUrl: string
): Mail => {
  throw new Error(`${errand.id} ${kind} ${record.booking.id} ${org.id} ${publicUrl}`)
}
