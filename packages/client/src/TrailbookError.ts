import type { ErrorCode } from "./operations.ts"

/**
 * Codes for errors that the client detects itself:
 * - `unreachable`: the connection failed, or the response was incomplete. The request may have taken effect.
 * - `timeout`: the attempt exceeded its timeout. The request may have taken effect.
 * - `unexpected`: the response came from another server or a proxy.
 */
export type TransportErrorCode = "unreachable" | "timeout" | "unexpected"

/** The error from any failed call. */
export class TrailbookError extends Error {
  override readonly name = "TrailbookError"
  /** A stable code for use in programs. The type allows other strings, because newer servers can send new codes. */
  readonly code: ErrorCode | TransportErrorCode | (string & {})
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** Whether the call is safe to repeat and could succeed later. */
  readonly retryable: boolean
  /** The request ID in the server's log. */
  readonly requestId: string | undefined
  /** The server's `Retry-After` in seconds. */
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

/** The value or error from a call under `client.try`. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: TrailbookError }
