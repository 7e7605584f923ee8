import { TrailbookError, type TransportErrorCode } from "@trailbook/client/TrailbookError"
import { getHttpStatus, refusalCodes } from "@trailbook/core"

/**
 * Creates the error that a `before` function throws to reject a request. The caller receives the error's code and
 * message, with status 409 over HTTP. The code must not be one of Trailbook's codes, so that callers can recognize
 * custom refusals.
 *
 * Throws a `TypeError` if the code or message is invalid. A code starts with a lowercase letter and consists of at most
 * 64 lowercase letters, digits, and underscores.
 *
 * @example
 * throw refuse("waiver_missing", "Sign the waiver first.")
 */
export const refuse = (code: string, message: string): TrailbookError => {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) {
    throw new TypeError(
      "refuse: the code must start with a lowercase letter and contain at most 64 lowercase letters, digits, and underscores"
    )
  }
  if (reservedCodes.has(code)) throw new TypeError(`refuse: ${code} is reserved for Trailbook. Choose another code.`)
  if (typeof message !== "string" || message.trim() === "") {
    throw new TypeError("refuse: the message must not be empty, because it is shown to people")
  }
  return new HookRefusal({ code, message, status: getHttpStatus(code), retryable: false })
}

/**
 * An error that {@link refuse} created. An operation inside the `before` function throws a plain `TrailbookError`
 * instead.
 */
export class HookRefusal extends TrailbookError {}

const transport: Readonly<Record<TransportErrorCode, true>> = { unreachable: true, timeout: true, unexpected: true }

const reservedCodes: ReadonlySet<string> = new Set([
  ...refusalCodes,
  ...Object.keys(transport),
  // This code appears only in the log.
  "client_closed_request"
])
