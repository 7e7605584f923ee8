/**
 * Refusals in words that an assistant can go on from: what was wrong, and what
 * to do next (decision 9.1).
 *
 * @since 0.1.0
 */
import type { Refusal, RefusalKind } from "@trailbook/core/Refusal"
import { failed, type ToolResult } from "./ToolResult.ts"

/**
 * @since 0.1.0
 * @category converting
 */
export const refused = (refusal: Refusal): ToolResult =>
  failed(`${refusal.code}: ${refusal.message}\nNext: ${next(refusal)}`)

const next = ({ code, kind, retryAfterSeconds }: Refusal): string => {
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${retryAfterSeconds} s first.`
  return (byCode[code] ?? byKind[kind]) + wait
}

const byKind: Record<RefusalKind, string> = {
  invalid: "correct the field it names and call again.",
  unauthorized: "ask the outfitter for a valid API key; calling again does not help.",
  forbidden: "leave it, or ask the outfitter for a key that may do this; calling again does not help.",
  not_found: "the id is wrong: look it up with the list or search of that kind and call again.",
  conflict: "choose something else; the same call is refused again.",
  exhausted: "do not repeat it now; tell the person when it may be tried again.",
  unavailable: "call again with exactly the same arguments, idempotency_key included."
}

const byCode: Readonly<Record<string, string>> = {
  slot_full: "call availability_get for what remains and offer another time, or fewer places.",
  slot_unavailable: "call availability_get and choose one of the starts it lists.",
  offering_paused: "offer something else; only the outfitter resumes it, with offerings_update active=true.",
  session_cancelled: "call availability_get and choose another session.",
  booking_cancelled: "a cancelled booking stays cancelled: book anew with bookings_create if that is wanted.",
  booking_held: "confirm it first with bookings_confirm.",
  hold_expired: "call availability_get and book anew with bookings_create.",
  idempotency_conflict: "this is another wish: make a new idempotency_key for it.",
  has_bookings: "ask the outfitter whether to cancel them all; only after a yes call again with cancel_bookings=true.",
  wrong_kind: "look at the offering's kind with offerings_get: sessions belong to a class, weekly hours to the others.",
  customer_erased: "this guest asked to be forgotten: add them anew only if they come back by themselves.",
  internal: "do not assume that nothing happened: read the current state, then call again with the same arguments."
}
