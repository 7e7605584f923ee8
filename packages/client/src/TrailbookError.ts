import type { ErrorCode } from "./operations.ts"

/**
 * Error codes of the client itself:
 *
 * - `unreachable`: no response or a partial one. The request may have taken effect.
 * - `timeout`: like `unreachable`, because the attempt took too long.
 * - `unexpected`: a response that is not from Trailbook, for example from another server or a proxy.
 */
export type TransportCode = "unreachable" | "timeout" | "unexpected"

/** An operation was refused or could not be reached. */
export class TrailbookError extends Error {
  override readonly name = "TrailbookError"
  /** A stable code for programs. The open string type allows codes that are newer than this version. */
  readonly code: ErrorCode | TransportCode | (string & {})
  /** The HTTP status, or 0 without a response. */
  readonly status: number
  /** Whether the same request can succeed later and is safe to repeat. */
  readonly retryable: boolean
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** The delay that the server requested. */
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
