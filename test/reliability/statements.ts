/** What no operation does, done in the tables: leases end, and rows are counted as they are. */
import { Database } from "@trailbook/sql/Database"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Target } from "./Target.ts"

/** Is told what a table is called in this database. */
type Statement = (table: (name: string) => string) => string

const within = <A>({ storage }: Target, effect: Effect.Effect<A, never, Database>): Promise<A> =>
  Effect.runPromise(
    // That a superuser sees everything is the point here, and nothing to be warned of.
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

/** The number that a statement answers as `n`. */
export const counted = (target: Target, statement: Statement): Promise<number> =>
  within(
    target,
    Effect.flatMap(Database, ({ dialect, query }) =>
      Effect.map(query<{ readonly n: number | string }>(statement(dialect.table)), ([row]) =>
        Number(row?.n ?? 0)))
  )
