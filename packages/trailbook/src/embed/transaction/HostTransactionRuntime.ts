import { engineLayer } from "@trailbook/runtime/engineLayer"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHookLayer } from "../hook/createHookLayer.ts"
import { type DomainServices, startServices } from "../openDatabase.ts"
import type { ParsedOptions } from "../option/parseOptions.ts"
import { paymentsLayer } from "../service/paymentsLayer.ts"
import type { HostTransaction } from "./HostTransaction.ts"

/**
 * Runs the domain in the host application's transactions, on their connections. If the pool has only one connection,
 * requesting another would deadlock, because the host transaction holds it.
 */
export interface HostTransactionRuntime {
  /** Runs an effect in the transaction, scoped to one org, or to all orgs if `orgId` is undefined. */
  readonly run: <A, E>(
    transaction: HostTransaction,
    orgId: string | undefined,
    effect: Effect.Effect<A, E, DomainServices>
  ) => Promise<A>
}

export const makeHostTransactionRuntime = async (configuration: ParsedOptions): Promise<HostTransactionRuntime> => {
  const { before, database, links: { guests: publicUrl }, payments } = configuration
  const { layer, runInHostTransaction } = await import("@trailbook/postgres/HostTransaction")
  const options = "schema" in database && database.schema !== undefined ? { schema: database.schema } : {}
  const { run } = await startServices(
    Effect.flatMap(
      Layer.build(
        engineLayer(NodeIds.layer, "none", {
          payments: paymentsLayer(payments),
          gate: createHookLayer(before),
          publicUrl
        })
          .pipe(
            Layer.provideMerge(layer(options))
          )
      ),
      (domain) => Effect.provide(Effect.runtime<DomainServices>(), domain)
    ),
    configuration
  )
  return {
    run: (transaction, orgId, effect) =>
      run(runInHostTransaction(transaction, options)(effect, orgId === undefined ? undefined : [orgId]))
  }
}
