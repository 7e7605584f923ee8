import { hostFailure } from "./hostFailure.ts"

/**
 * An unexpected error from one of the host application's functions. The log contains only the error's kind and the name
 * of the function's option. Promise callers receive the original error.
 */
export class HostFailed extends Error {
  override readonly name = "HostFailed"
  /**
   * The error is not stored as `cause`, because a log would print the cause, and the error's message may name a guest.
   */
  readonly #thrown: unknown

  constructor(part: Parameters<typeof hostFailure>[0], error: unknown) {
    super(hostFailure(part, error))
    this.#thrown = error
  }

  get thrown(): unknown {
    return this.#thrown
  }
}
