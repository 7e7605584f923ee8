import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"
import type { Value } from "../Dialect.ts"

/**
 * A control for tests of races, never for use: the same database with the unit
 * of work taken out. Every statement is committed by itself and the fiber gives
 * way before each, so concurrent units interleave. What a race breaks here and
 * not there is held by the unit of work.
 */
export const unguarded: Layer.Layer<Database, never, Database> = Layer.effect(
  Database,
  Effect.map(Database, ({ dialect, erase, execute, query, write }) => ({
    dialect,
    write: (text, values) => Effect.zipRight(yieldToEventLoop, write(text, values)),
    erase: (text, values) => Effect.zipRight(yieldToEventLoop, erase(text, values)),
    execute: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      Effect.zipRight(yieldToEventLoop, execute<Row>(text, values)),
    query: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      Effect.zipRight(yieldToEventLoop, query<Row>(text, values)),
    transaction: (work) => work,
    together: (work) => work,
    snapshot: (reads) => reads
  }))
)
