import { hostFailure } from "./hostFailure.ts"

/**
 * A function of the program's own has thrown what it should not. The log has the
 * part and the kind; whoever called it through promises gets what was thrown.
 */
export class HostFailed extends Error {
  override readonly name = "HostFailed"
  /** Not its cause: a log would show that, and its message may name a guest. */
  readonly #thrown: unknown

  constructor(part: Parameters<typeof hostFailure>[0], thrown: unknown) {
    super(hostFailure(part, thrown))
    this.#thrown = thrown
  }

  get thrown(): unknown {
    return this.#thrown
  }
}
