import { TrailbookError } from "@trailbook/client/TrailbookError"
import type { TransportCode } from "@trailbook/client/TrailbookError"
import { httpStatus, refusalCodes } from "@trailbook/core/refusals"

/**
 * A refusal of the program's own, to be thrown by a function of the option
 * `before`. Whoever ordered gets its code and message, with the status 409 over
 * HTTP. The code must be none of Trailbook's: it is a promise to callers, who have
 * to know whose.
 *
 * @example
 * throw refuse("waiver_missing", "Sign the waiver first.")
 */
export const refuse = (code: string, message: string): TrailbookError => {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) {
    throw new TypeError("refuse: a code has lowercase letters, digits and underscores, at most 64 of them")
  }
  if (ours.has(code)) throw new TypeError(`refuse: ${code} is a code of Trailbook's own; choose another`)
  if (typeof message !== "string" || message.trim() === "") {
    throw new TypeError("refuse: the message is for people, so it has to say something")
  }
  return new HookRefusal({ code, message, status: httpStatus(code), retryable: false })
}

/**
 * What was made by {@link refuse}, and not by an operation that was asked
 * meanwhile.
 */
export class HookRefusal extends TrailbookError {}

const transport: Readonly<Record<TransportCode, true>> = { unreachable: true, timeout: true, unexpected: true }

const ours: ReadonlySet<string> = new Set([
  ...refusalCodes,
  ...Object.keys(transport),
  // Of the log alone.
  "client_closed_request"
])
