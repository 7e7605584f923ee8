import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { currentTransaction } from "@trailbook/sql/transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { DataVersion } from "./dataVersion.ts"

/** So many keys are remembered at most; unknown ones count too, so that guessing cannot fill the memory. */
const maxKeys = 1000

/**
 * Every request looks its key up, and does little more. While nobody commits, no
 * row changes, and a key that was read since the last commit is not read again.
 * A key that this process revokes opens nothing from the next request on, one
 * that another process revokes a few milliseconds later (`DataVersion`).
 */
export const layer: Layer.Layer<ApiKeyStore, never, ApiKeyStore | DataVersion> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const store = yield* ApiKeyStore
    const count = yield* DataVersion
    const known = new Map<string, Option.Option<ApiKey>>()
    let knownAt: number | undefined

    const look = (id: string, at: number | undefined): Effect.Effect<Option.Option<ApiKey>> => {
      if (at !== knownAt || known.size >= maxKeys) known.clear()
      knownAt = at
      const found = known.get(id)
      if (found !== undefined) return Effect.succeed(found)
      // Read after the count, a row may be newer than the count says, never older.
      return Effect.tap(
        store.find(id),
        (key) => Effect.sync(() => at !== undefined && knownAt === at && known.set(id, key))
      )
    }

    return ApiKeyStore.of({
      ...store,
      // A unit of work reads on the writer's connection, which counts differently.
      find: (id) =>
        Effect.withFiberRuntime(({ currentContext }) =>
          currentTransaction(currentContext) === undefined
            ? Effect.flatMap(count, (at) => look(id, at))
            : store.find(id)
        )
    })
  })
)
