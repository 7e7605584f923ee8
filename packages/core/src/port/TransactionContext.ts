import * as Context from "effect/Context"

/** A transaction that the current work is part of and did not begin. */
export interface EnclosingTransaction {
  /**
   * `host`: the host application began it and ends it. Its locks last until then, so work inside it must neither wait
   * for a permit, whose owner may wait for these locks, nor call a payment provider.
   */
  readonly owner: "engine" | "host"
  /**
   * If set, chunked work only starts in this transaction and reports its ID. The owner finishes the work after the
   * commit, so that no locks are held in the meantime.
   */
  readonly onJobStarted?: ((id: string) => void) | undefined
}

/**
 * The enclosing transaction of the current work. If undefined, the work begins its own transactions and can share one
 * with other requests.
 */
export class TransactionContext extends Context.Reference<TransactionContext>()("@trailbook/core/TransactionContext", {
  defaultValue: (): EnclosingTransaction | undefined => undefined
}) {}
