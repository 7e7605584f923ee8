import { yieldToEventLoop } from "@trailbook/core/concurrency"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import type { SqlValue } from "../Dialect.ts"
import * as SqlStorage from "../SqlStorage.ts"

/**
 * The database without transactions, as a negative control for race tests. It must not be used in production. Every
 * statement commits separately, and the fiber yields before each statement, so concurrent transactions interleave. If a
 * race test fails with this layer and passes with the real database, transactions prevent the race.
 */
export const layerUnguarded: Layer.Layer<Database, never, Database> = Layer.effect(
  Database,
  Effect.map(Database, ({ assertCanWait, dialect, erase, execute, lookup, pools, query, write }) => ({
    assertCanWait,
    dialect,
    pools,
    write: (text, values) => Effect.zipRight(yieldToEventLoop, write(text, values)),
    erase: (text, values) => Effect.zipRight(yieldToEventLoop, erase(text, values)),
    execute: <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
      Effect.zipRight(yieldToEventLoop, execute<Row>(text, values)),
    query: <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
      Effect.zipRight(yieldToEventLoop, query<Row>(text, values)),
    lookup: <Row>(text: string, values?: ReadonlyArray<SqlValue>) =>
      Effect.zipRight(yieldToEventLoop, lookup<Row>(text, values)),
    transaction: (work) => work,
    inOneTransaction: (work) => work,
    snapshot: (reads) => reads
  }))
)

/** All storage ports on a database without transactions. */
export const storageUnguarded = Layer.provide(SqlStorage.layer, layerUnguarded)
