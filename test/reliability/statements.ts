/** SQL for changes that no operation makes, such as ending leases, and for raw row counts. */
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Target } from "./Target.ts"

/** Builds a statement with `table`, which returns a table's name in this database. */
type Statement = (table: (name: string) => string) => string

const within = <A>({ storage }: Target, effect: Effect.Effect<A, never, Database>): Promise<A> =>
  Effect.runPromise(
    // Hide the warning about superusers: this reader must bypass row-level security.
    Effect.provide(effect, storage).pipe(Logger.withMinimumLogLevel(LogLevel.Error))
  )

export const execute = (target: Target, ...statements: ReadonlyArray<Statement>): Promise<void> =>
  within(
    target,
    Effect.flatMap(
      Database,
      ({ dialect, write }) =>
        Effect.forEach(statements, (statement) => write(statement(dialect.table)), { discard: true })
    )
  )

const readCount = (statement: Statement) =>
  Effect.flatMap(
    Database,
    ({ dialect, query }) =>
      Effect.map(query<{ readonly n: number | string }>(statement(dialect.table)), ([row]) => Number(row?.n ?? 0))
  )

/** Returns column `n` of the first row. */
export const countRows = (target: Target, statement: Statement): Promise<number> => within(target, readCount(statement))

/** Resolves as soon as column `n` of the first row differs from `before`. */
export const awaitChange = (target: Target, statement: Statement, before: number): Promise<number> =>
  within(
    target,
    Effect.repeat(Effect.delay(readCount(statement), "1 millis"), { until: (count) => count !== before })
  )
