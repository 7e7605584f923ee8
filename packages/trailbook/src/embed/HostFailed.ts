import { hostFailure } from "./hostFailure.ts"

/**
 * Unexpected error from a function of the host application. The log shows only the part and the kind of error; promise
 * callers receive the original error.
 */
export class HostFailed extends Error {
  override readonly name = "HostFailed"
  /** Not stored as `cause`, because a log would print it and its message can name a guest. */
  readonly #thrown: unknown

  constructor(part: Parameters<typeof hostFailure>[0], thrown: unknown) {
    super(hostFailure(part, thrown))
    this.#thrown = thrown
  }

  get thrown(): unknown {
    return this.#thrown
  }
}
