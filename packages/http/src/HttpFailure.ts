import { getHttpStatus, type HostRefusalCode, type RefusalCode } from "@trailbook/core"

/**
 * An HTTP-specific error that sets headers or overrides the default status for its code. Errors from core are
 * `Refusal`s.
 */
export class HttpFailure {
  readonly _tag = "HttpFailure"
  /** The error code. `client_closed_request` appears only in the log, because the client has already disconnected. */
  readonly code: RefusalCode | HostRefusalCode | "client_closed_request"
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number

  constructor(
    { code, message }: Pick<HttpFailure, "code" | "message">,
    headers: Readonly<Record<string, string>> = {},
    status = getHttpStatus(code)
  ) {
    this.code = code
    this.message = message
    this.headers = headers
    this.status = status
  }
}
