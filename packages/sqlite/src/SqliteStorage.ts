import type { SqliteClient } from "@effect/sql-sqlite-node/SqliteClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import { type ApiKey, ApiKeyStore } from "@trailbook/core/actor"
import type { Storage } from "@trailbook/core/storage"
import type { Database } from "@trailbook/sql/Database"
import type { HostTransactions } from "@trailbook/sql/HostTransactions"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import { getCurrentTransaction } from "@trailbook/sql/transaction"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type { CannotOpen } from "./CannotOpen.ts"
import { DataVersion } from "./SqliteConnection.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"

/**
 * The services that {@link layer} provides: all storage ports, and the SQL client of the writer. The program can also
 * use this client to run its own statements.
 */
export type Services = Storage | Database | HostTransactions | SqliteClient | SqlClient

/**
 * The maximum number of cached keys. Unknown keys are also cached and counted, so guessed keys cannot exhaust the
 * memory.
 */
const maxKeys = 1000

/**
 * Caches API keys, because many requests do little more than look up their key. A cached key stays valid until the next
 * commit. A key revoked by this process is rejected on the next request, and one revoked by another process is rejected
 * within a few milliseconds (`DataVersion`).
 */
const cachedApiKeys: Layer.Layer<ApiKeyStore, never, ApiKeyStore | DataVersion> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const store = yield* ApiKeyStore
    const readVersion = yield* DataVersion
    const cachedKeys = new Map<string, Option.Option<ApiKey>>()
    let cachedVersion: number | undefined

    const findKey = (id: string, version: number | undefined): Effect.Effect<Option.Option<ApiKey>> => {
      if (version !== cachedVersion || cachedKeys.size >= maxKeys) cachedKeys.clear()
      cachedVersion = version
      const cachedKey = cachedKeys.get(id)
      if (cachedKey !== undefined) return Effect.succeed(cachedKey)
      // Read the version before the row, so that the row can only be newer than the version.
      return Effect.tap(
        store.find(id),
        (key) => Effect.sync(() => version !== undefined && cachedVersion === version && cachedKeys.set(id, key))
      )
    }

    return ApiKeyStore.of({
      ...store,
      // Do not use the cache in a unit of work. Its reads use the writer's connection, which has a different data
      // version.
      find: (id) =>
        Effect.withFiberRuntime(({ currentContext }) =>
          getCurrentTransaction(currentContext) === undefined
            ? Effect.flatMap(readVersion, (version) => findKey(id, version))
            : store.find(id)
        )
    })
  })
)

const storage = Layer.provideMerge(cachedApiKeys, SqlStorage.layer)

/** Provides all storage ports for one SQLite file. */
export const layer = (config: SqliteDatabase.SqliteConfig): Layer.Layer<Services, CannotOpen> =>
  Layer.provideMerge(storage, SqliteDatabase.layer(config))

/**
 * Like {@link layer}, but uses the host application's `@effect/sql-sqlite-node` client. The storage and the host
 * application share one writer, so the application's transactions can include bookings. The layer applies the required
 * settings to the client.
 *
 * @example
 * import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
 * import { layerClient } from "@trailbook/sqlite"
 * import * as Layer from "effect/Layer"
 *
 * const storage = Layer.provideMerge(layerClient, SqliteClient.layer({ filename: "shop.sqlite" }))
 */
export const layerClient: Layer.Layer<Services, CannotOpen, SqliteClient> = Layer.provideMerge(
  storage,
  SqliteDatabase.layerClient
)

/**
 * Like {@link layer}, but reads the settings from the program's configuration.
 *
 * @example
 * import { layerConfig } from "@trailbook/sqlite"
 * import * as Config from "effect/Config"
 *
 * const storage = layerConfig({ filename: Config.string("BOOKINGS_FILE") })
 */
export const layerConfig = (
  config: Config.Config.Wrap<SqliteDatabase.SqliteConfig>
): Layer.Layer<Services, CannotOpen | ConfigError> => Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))
