import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as KeyedBatcher from "@trailbook/core/concurrency/KeyedBatcher"
import { currentTransaction } from "@trailbook/sql/transaction"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/** The maximum number of concurrent lookups. Further keys wait. */
const lanes = 4

/**
 * Shares lookups of API keys. Every request looks up its key, and many use the same one. Requests that arrive during
 * a lookup share the next one, which starts after all of them have arrived. A revoked key is therefore rejected from
 * the next request on.
 */
export const layer: Layer.Layer<ApiKeyStore, never, ApiKeyStore> = Layer.scoped(
  ApiKeyStore,
  Effect.gen(function*() {
    const store = yield* ApiKeyStore
    const looks = yield* KeyedBatcher.make({
      concurrency: lanes,
      maxBatchSize: 1000,
      run: (ids: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const found = yield* Effect.forEach(
            new Set(ids),
            (id) => Effect.map(Effect.exit(store.find(id)), (exit) => [id, exit] as const),
            { concurrency: lanes }
          )
          const byId = new Map(found)
          return ids.map((id) => byId.get(id) ?? absent)
        })
    })
    return ApiKeyStore.of({
      ...store,
      // Inside a unit of work, the lookup must see that transaction's data.
      find: (id) =>
        Effect.contextWithEffect((context: Context.Context<never>) =>
          currentTransaction(context) === undefined ? looks.submit([id], id) : store.find(id)
        )
    })
  })
)

const absent = Exit.die(new Error("Invariant violated: API key lookup without a result"))
