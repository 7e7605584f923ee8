import * as Context from "effect/Context"

/** A transaction that encloses the current work but was not started by it. */
export interface EnclosingTransaction {
  /**
   * `host` means that the host application started the transaction and will end it. The transaction's locks last until
   * then. Work inside the transaction must therefore not wait for a permit, because the permit's owner may be waiting
   * for these locks. It must not call a payment provider either.
   */
  readonly owner: "engine" | "host"
  /**
   * If this function is set, chunked work is only started in this transaction, and the function receives the job's ID.
   * The owner finishes the work after the commit, so that no locks are held in the meantime.
   */
  readonly onJobStarted?: ((id: string) => void) | undefined
}

/**
 * The transaction that encloses the current work. If undefined, the work starts its own transactions and can share one
 * with other requests.
 */
export class TransactionContext extends Context.Reference<TransactionContext>()("@trailbook/core/TransactionContext", {
  defaultValue: (): EnclosingTransaction | undefined => undefined
}) {}
