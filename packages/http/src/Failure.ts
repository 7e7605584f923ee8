/**
 * @since 0.1.0
 */

/**
 * Why a request gets no answer from an operation, in HTTP's own terms. What core
 * refuses is a `Refusal`; this is for what it never hears of.
 *
 * @since 0.1.0
 * @category errors
 */
export class Failure {
  readonly _tag = "Failure"
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(status: number, code: string, message: string, headers?: Readonly<Record<string, string>>) {
    this.status = status
    this.code = code
    this.message = message
    this.headers = headers
  }
}
