import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { currentTransaction } from "@trailbook/sql/transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { DataVersion } from "./dataVersion.ts"

/**
 * The maximum number of cached keys. Unknown keys are also cached and counted, so guessing cannot exhaust the memory.
 */
const maxKeys = 1000

/**
 * Caches API keys, because many requests do little more than look up their key. A cached key stays valid until the next
 * commit. A key that this process revokes is rejected on the next request. A key that another process revokes is
 * rejected within a few milliseconds (`DataVersion`).
 */
export const layer: Layer.Layer<ApiKeyStore, never, ApiKeyStore | DataVersion> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const store = yield* ApiKeyStore
    const count = yield* DataVersion
    const known = new Map<string, Option.Option<ApiKey>>()
    let knownAt: number | undefined

    const findKey = (id: string, at: number | undefined): Effect.Effect<Option.Option<ApiKey>> => {
      if (at !== knownAt || known.size >= maxKeys) known.clear()
      knownAt = at
      const found = known.get(id)
      if (found !== undefined) return Effect.succeed(found)
      // Read the version before the row, so that the row can only be newer than the version.
      return Effect.tap(
        store.find(id),
        (key) => Effect.sync(() => at !== undefined && knownAt === at && known.set(id, key))
      )
    }

    return ApiKeyStore.of({
      ...store,
      // Do not use the cache in a unit of work, which reads on the writer's connection and so has a different data
      // version.
      find: (id) =>
        Effect.withFiberRuntime(({ currentContext }) =>
          currentTransaction(currentContext) === undefined
            ? Effect.flatMap(count, (at) => findKey(id, at))
            : store.find(id)
        )
    })
  })
)
