import type { OwnCode } from "@trailbook/core/Refusal"
import { httpStatus, type RefusalCode } from "@trailbook/core/refusals"

/**
 * A refusal in HTTP's own terms: with headers, or with another status than its
 * code has. What core refuses is a `Refusal`.
 */
export class Failure {
  readonly _tag = "Failure"
  /** Nobody is there to hear of `client_closed_request`. */
  readonly code: RefusalCode | OwnCode | "client_closed_request"
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number

  constructor(
    { code, message }: Pick<Failure, "code" | "message">,
    headers: Readonly<Record<string, string>> = {},
    status = httpStatus(code)
  ) {
    this.code = code
    this.message = message
    this.headers = headers
    this.status = status
  }
}
