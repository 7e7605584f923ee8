import type { Refusal } from "@trailbook/core"
import type { DatabaseOpenError } from "@trailbook/runtime/loadAdapter"
import { OperatorError } from "@trailbook/runtime/OperatorError"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { runProgram } from "@trailbook/server/runProgram"
import type { UsageError } from "@trailbook/server/setting/UsageError"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import { existsSync } from "node:fs"

/**
 * Runs a command on an existing database, with the services that it needs: `storage` from `adapter.ts`, or
 * `accountsLayer`.
 */
export const withDatabase = <A, R>(
  database: DatabaseUrl,
  needs: (database: DatabaseUrl) => Layer.Layer<R, DatabaseOpenError>,
  steps: () => Generator<
    YieldWrap<Effect.Effect<unknown, OperatorError | UsageError | Refusal | DatabaseOpenError, R>>,
    A,
    never
  >
): Promise<A> => runProgram(Effect.provide(Effect.gen(steps), needs(requireDatabaseFile(database))))

/**
 * Rejects a SQLite file that does not exist, so that a command with a mistyped path does not create an empty database.
 *
 * @throws OperatorError
 */
export const requireDatabaseFile = (database: DatabaseUrl): DatabaseUrl => {
  if (database._tag === "Postgres" || existsSync(database.file)) return database
  throw new OperatorError(
    `The database ${database.file} does not exist. Check --database, or create it: trailbook migrate --database sqlite:${database.file}`
  )
}
