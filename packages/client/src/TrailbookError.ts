import type { ErrorCode } from "./operations.ts"

/**
 * Codes of this side of the wire:
 *
 * - `unreachable`: no answer came, or half of one. Whether the request was carried out is not known.
 * - `timeout`: the same, because it took too long
 * - `unexpected`: an answer came that Trailbook does not give. Something else listens at the address, or stands between.
 */
export type TransportCode = "unreachable" | "timeout" | "unexpected"

/** An operation was refused, or could not be asked. */
export class TrailbookError extends Error {
  override readonly name = "TrailbookError"
  /** For programs; a promise. The second half takes codes that are new to this version. */
  readonly code: ErrorCode | TransportCode | (string & {})
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The same request may succeed later, and sending it again does no harm. */
  readonly retryable: boolean
  /** Leads to the request in the server's log. */
  readonly requestId: string | undefined
  /** As long as the server asked to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(options: {
    readonly code: TrailbookError["code"]
    readonly status: number
    readonly message: string
    readonly retryable: boolean
    readonly requestId?: string | undefined
    readonly retryAfterSeconds?: number | undefined
    readonly cause?: unknown
  }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.status = options.status
    this.retryable = options.retryable
    this.requestId = options.requestId
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
