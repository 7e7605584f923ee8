import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import * as Coalescer from "@trailbook/core/concurrency/KeyedBatcher"
import { currentTransaction } from "@trailbook/sql/transaction"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"

/** More keys than this that are looked up at the same moment wait for each other. */
const lanes = 4

/**
 * Every request looks its key up, and many come with the same one. Those that
 * come while it is being looked up share the next look, which begins after all
 * of them came: so a key that is revoked anywhere opens nothing from the next
 * request on.
 */
export const layer: Layer.Layer<ApiKeyStore, never, ApiKeyStore> = Layer.scoped(
  ApiKeyStore,
  Effect.gen(function*() {
    const store = yield* ApiKeyStore
    const looks = yield* Coalescer.make({
      lanes,
      batch: 1000,
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
      // Within a unit of work it is read as that sees it.
      find: (id) =>
        Effect.contextWithEffect((context: Context.Context<never>) =>
          currentTransaction(context) === undefined ? looks.submit([id], id) : store.find(id)
        )
    })
  })
)

const absent = Exit.die(new Error("A key was looked for and has no answer."))
