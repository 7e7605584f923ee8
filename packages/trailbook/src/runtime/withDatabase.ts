import type { Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import type { Failure, UsageError } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import type { UnusableDatabase } from "./adapter.ts"
import { requireFile } from "./requireFile.ts"
import { runProgram } from "./runProgram.ts"

/**
 * Runs a command on an existing database, with the services that it needs: `storage` from `adapter.ts`, or `accounts`.
 */
export const withDatabase = <A, R>(
  database: DatabaseUrl,
  needs: (database: DatabaseUrl) => Layer.Layer<R, UnusableDatabase>,
  steps: () => Generator<
    YieldWrap<Effect.Effect<unknown, Failure | UsageError | Refusal | UnusableDatabase, R>>,
    A,
    never
  >
): Promise<A> => runProgram(Effect.provide(Effect.gen(steps), needs(requireFile(database))))
