import { Actor } from "@trailbook/core/actor/Actor"
import { TenantScope } from "@trailbook/core/port/TenantScope"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Connection, Lane } from "./Connection.ts"
import type { Dialect, Value } from "./Dialect.ts"
import { currentTransaction, join, meanings, runIn, transact, type Transaction, writeIn } from "./transaction.ts"

/**
 * The seam between the stores and a database. Texts are static, with `$1 … $n`
 * for values, and are the same for every database up to its `Dialect`.
 *
 * A failing statement is a defect: `DatabaseUnavailable`, or else
 * `StatementFailed`.
 */
export class Database extends Context.Tag("@trailbook/sql/Database")<
  Database,
  {
    readonly dialect: Dialect
    /** Reads. Within a transaction it sees what that has written; outside it waits for none. */
    readonly query: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /**
     * Writes. Outside a transaction it is one by itself. Within one it may fail as
     * late as with the next statement that has an answer, or with the commit.
     */
    readonly write: (text: string, values?: ReadonlyArray<Value>) => Effect.Effect<void>
    /** Writes, and reads what it is `returning`. Outside a transaction it is one by itself. */
    readonly execute: <Row>(text: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>>
    /** Writes as `write` does; once that is committed, no copy of what it overwrote is left in the database's files. */
    readonly erase: (text: string, values?: ReadonlyArray<Value>) => Effect.Effect<void>
    /** All or nothing. Within a transaction it joins that one, and when it fails undoes its own part. */
    readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** One transaction, the one that is open or else one of its own. Within one it fails with that, and not by itself. */
    readonly together: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Reads that all see one moment; within a transaction, what that sees. */
    readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}

/** What a database brings along. */
export interface Driver<C extends Connection = Connection> {
  readonly dialect: Dialect
  /** For reads outside transactions; it is never inside one. `tenants` as for a `Lane`. */
  readonly reader: {
    readonly run: <Row>(
      text: string,
      values: ReadonlyArray<Value>,
      tenants: ReadonlyArray<string> | undefined
    ) => Effect.Effect<ReadonlyArray<Row>, unknown>
  }
  readonly units: Lane<C>
  readonly snapshots: Lane<C>
}

export const make = <C extends Connection>(
  { dialect, reader, snapshots, units }: Driver<C>
): Database["Type"] => {
  const meaning = meanings(dialect)
  const begin = transact(meaning, units)
  const beginSnapshot = transact(meaning, snapshots)

  const execute = <Row>(text: string, values?: ReadonlyArray<Value>): Effect.Effect<ReadonlyArray<Row>> =>
    inTransaction((current, tenants) =>
      current === undefined ? begin(execute<Row>(text, values), tenants) : runIn<Row>(meaning, current, text, values)
    )
  const write = (text: string, values?: ReadonlyArray<Value>): Effect.Effect<void> =>
    inTransaction((current, tenants) =>
      current === undefined ? begin(write(text, values), tenants) : writeIn(meaning, current, text, values)
    )
  const erase = (text: string, values?: ReadonlyArray<Value>): Effect.Effect<void> =>
    inTransaction((current, tenants) => {
      if (current === undefined) return begin(erase(text, values), tenants)
      current.erases = true
      return writeIn(meaning, current, text, values)
    })
  return {
    dialect,
    write,
    execute,
    erase,
    query: <Row>(text: string, values?: ReadonlyArray<Value>) =>
      inTransaction((current, tenants) =>
        current === undefined
          ? Effect.catchAll(reader.run<Row>(text, values ?? [], tenants), (cause) => Effect.die(meaning(cause, text)))
          : runIn<Row>(meaning, current, text, values)
      ),
    transaction: (work) =>
      inTransaction((current, tenants) => current === undefined ? begin(work, tenants) : join(meaning, current)(work)),
    together: (work) => inTransaction((current, tenants) => current === undefined ? begin(work, tenants) : work),
    snapshot: (reads) =>
      inTransaction((current, tenants) => current === undefined ? beginSnapshot(reads, tenants) : reads)
  }
}

/** Asks the fiber for its transaction, and whose work it does. */
const inTransaction = <A, E, R>(
  use: (current: Transaction | undefined, tenants: ReadonlyArray<string> | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime(({ currentContext }) => use(currentTransaction(currentContext), tenantScope(currentContext)))

/** The orgs whose work a fiber with this context does; all, where nothing is said. */
export const tenantScope = (context: Context.Context<never>): ReadonlyArray<string> | undefined => {
  const tenants = Context.getOption(context, TenantScope)
  if (tenants._tag === "Some") return tenants.value
  const actor = Context.getOption(context, Actor)
  return actor._tag === "Some" ? [actor.value.orgId] : undefined
}
