import type { OperationMethods, ResultOperationMethods } from "../Outfitter.ts"

/**
 * A Postgres transaction that the host application begins and ends. `fromPg`, `fromKysely`, and `fromDrizzle` create
 * one from those libraries' transactions. For other libraries, implement `query`.
 */
export interface HostTransaction {
  /** Runs a statement with values for `$1 … $n` in the transaction and resolves to its rows as objects. */
  readonly query: (
    text: string,
    values: ReadonlyArray<string | number | null>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /**
   * The transaction's connection. Two objects with the same connection belong to the same transaction. Default: this
   * object.
   */
  readonly connection?: object | undefined
}

/**
 * The operations inside a host application transaction. Their writes commit or roll back with the transaction. If an
 * operation is refused, only its own writes are rolled back, and the transaction remains usable. Webhook operations are
 * not available, because they resolve network addresses.
 */
export interface TransactionOperations extends Omit<OperationMethods, "webhooks"> {
  readonly try: Omit<ResultOperationMethods, "webhooks">
}

// The adapters use structural types with only the members they need, so no library is a dependency and any version
// works.
export interface PgClient {
  query(text: string, values: Array<unknown>): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/**
 * Creates a `HostTransaction` from a `pg` client that has run `begin`. Throws a `TypeError` for a pool, because a pool
 * can run each statement on a different connection.
 *
 * @example
 * const client = await pool.connect()
 * await client.query("begin")
 * await trailbook.within(fromPg(client)).bookings.confirm({ id })
 * await client.query("commit")
 */
export const fromPg = (client: PgClient): HostTransaction => {
  if ("totalCount" in client) {
    throw new TypeError("fromPg: pass the client that started the transaction, not the pool")
  }
  return {
    connection: client,
    query: async (text, values) => extractRows("fromPg", await client.query(text, [...values]))
  }
}

export interface KyselyTransaction {
  readonly isTransaction: true
  executeQuery(query: KyselyQuery): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/** A compiled Kysely query. */
export interface KyselyQuery {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
  readonly query: { readonly kind: "RawNode"; readonly sqlFragments: ReadonlyArray<string>; readonly parameters: [] }
  readonly queryId: { readonly queryId: string }
}

/**
 * Creates a `HostTransaction` from a Kysely transaction, started by `db.transaction().execute` or `startTransaction()`.
 * Throws a `TypeError` for the database object.
 *
 * @example
 * await db.transaction().execute((trx) => trailbook.within(fromKysely(trx)).bookings.confirm({ id }))
 */
export const fromKysely = (trx: KyselyTransaction): HostTransaction => {
  const { isTransaction }: { readonly isTransaction: boolean } = trx
  if (!isTransaction) throw new TypeError("fromKysely: pass the transaction, not the database")
  return {
    connection: trx,
    query: async (sql, parameters) =>
      extractRows(
        "fromKysely",
        await trx.executeQuery({
          sql,
          parameters,
          query: { kind: "RawNode", sqlFragments: [sql], parameters: [] },
          queryId: { queryId: "trailbook" }
        })
      )
  }
}

export interface DrizzleTransaction {
  execute(query: DrizzleQuery | string): PromiseLike<unknown>
  rollback(): never
}

/** The interface that Drizzle accepts in place of a query made with `sql`. */
export interface DrizzleQuery {
  /** Returns an object whose `toQuery()` returns the text and the values. */
  getSQL(): unknown
}

/**
 * Creates a `HostTransaction` from a Drizzle transaction with any of its Postgres drivers. Throws a `TypeError` for the
 * database object.
 *
 * @example
 * await db.transaction((tx) => trailbook.within(fromDrizzle(tx)).bookings.confirm({ id }))
 */
export const fromDrizzle = (tx: DrizzleTransaction): HostTransaction => {
  if (typeof tx.rollback !== "function") throw new TypeError("fromDrizzle: pass the transaction, not the database")
  return {
    connection: tx,
    query: async (sql, params) =>
      extractRows(
        "fromDrizzle",
        await tx.execute({ getSQL: () => ({ toQuery: () => ({ sql, params: [...params] }) }) })
      )
  }
}

type Rows = Awaited<ReturnType<HostTransaction["query"]>>

/** Returns the rows of a result. Some drivers return the rows themselves, and others return an object with `rows`. */
const extractRows = (name: string, result: unknown): Rows => {
  const rows: unknown = Array.isArray(result) || typeof result !== "object" || result === null
    ? result
    : "rows" in result
    ? result.rows
    : undefined
  if (!Array.isArray(rows)) throw new TypeError(`${name}: the result does not contain a list of rows`)
  return rows
}
