import * as Context from "effect/Context"

/**
 * The transaction that the current work must join, or undefined if it may use its own. Inside it, work is not batched
 * with other requests, and chunked work only starts. The owner of the transaction is notified with the ID and finishes
 * the work after the commit, so that no locks are held in the meantime.
 */
export class Joined extends Context.Reference<Joined>()("@trailbook/core/Joined", {
  defaultValue: (): { readonly hasBegun: (id: string) => void } | undefined => undefined
}) {}
