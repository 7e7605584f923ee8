import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"

/**
 * A control for race tests, never for production: the same database without transactions. Every statement commits
 * separately, and the fiber yields before each, so concurrent transactions interleave. A race that fails here and
 * passes with the real database shows that the transaction prevents it.
 */
export const layerUnguarded: Layer.Layer<Database, never, Database> = Layer.effect(
  Database,
  Effect.map(Database, ({ assertCanWait, dialect, erase, execute, lookup, pools, query, write }) => ({
    assertCanWait,
    dialect,
    pools,
    write: (text, values) => Effect.zipRight(yieldToEventLoop, write(text, values)),
    erase: (text, values) => Effect.zipRight(yieldToEventLoop, erase(text, values)),
    execute: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      Effect.zipRight(yieldToEventLoop, execute<Row>(text, values)),
    query: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      Effect.zipRight(yieldToEventLoop, query<Row>(text, values)),
    lookup: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      Effect.zipRight(yieldToEventLoop, lookup<Row>(text, values)),
    transaction: (work) => work,
    together: (work) => work,
    snapshot: (reads) => reads
  }))
)
