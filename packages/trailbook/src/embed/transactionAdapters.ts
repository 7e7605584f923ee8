/**
 * Transactions of the libraries that programs have. Of each only what tells a
 * transaction is asked for, so none of them has to be there, nor in one version.
 */
import type { HostTransaction } from "./HostTransaction.ts"

export interface PgClient {
  query(text: string, values: Array<unknown>): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/**
 * A client of `pg`, after `begin`. Not the pool: its statements go anywhere.
 *
 * @example
 * const client = await pool.connect()
 * await client.query("begin")
 * await trailbook.within(fromPg(client)).bookings.confirm({ id })
 * await client.query("commit")
 */
export const fromPg = (client: PgClient): HostTransaction => {
  if ("totalCount" in client) {
    throw new TypeError("fromPg: give the client that the transaction was begun on, not the pool")
  }
  return {
    connection: client,
    query: async (text, values) => rowsOf("fromPg", await client.query(text, [...values]))
  }
}

export interface KyselyTransaction {
  readonly isTransaction: true
  executeQuery(query: KyselyQuery): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/** What Kysely sends, as it is once a query was compiled. */
export interface KyselyQuery {
  readonly sql: string
  readonly parameters: ReadonlyArray<unknown>
  readonly query: { readonly kind: "RawNode"; readonly sqlFragments: ReadonlyArray<string>; readonly parameters: [] }
  readonly queryId: { readonly queryId: string }
}

/**
 * What `db.transaction().execute` and `startTransaction()` of Kysely hand over.
 *
 * @example
 * await db.transaction().execute((trx) => trailbook.within(fromKysely(trx)).bookings.confirm({ id }))
 */
export const fromKysely = (trx: KyselyTransaction): HostTransaction => {
  const { isTransaction }: { readonly isTransaction: boolean } = trx
  if (!isTransaction) throw new TypeError("fromKysely: give the transaction, not the database")
  return {
    connection: trx,
    query: async (sql, parameters) =>
      rowsOf(
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

/** What Drizzle asks of whatever it takes in place of its own `sql`. */
export interface DrizzleQuery {
  /** What has the text and the values, by `toQuery()`. */
  getSQL(): unknown
}

/**
 * What `db.transaction` of Drizzle hands over, on any of its drivers for Postgres.
 *
 * @example
 * await db.transaction((tx) => trailbook.within(fromDrizzle(tx)).bookings.confirm({ id }))
 */
export const fromDrizzle = (tx: DrizzleTransaction): HostTransaction => {
  if (typeof tx.rollback !== "function") throw new TypeError("fromDrizzle: give the transaction, not the database")
  return {
    connection: tx,
    query: async (sql, params) =>
      rowsOf("fromDrizzle", await tx.execute({ getSQL: () => ({ toQuery: () => ({ sql, params: [...params] }) }) }))
  }
}

type Rows = Awaited<ReturnType<HostTransaction["query"]>>

/** Some drivers answer with the rows, and some with what has them. */
const rowsOf = (name: string, answer: unknown): Rows => {
  const rows: unknown = Array.isArray(answer) || typeof answer !== "object" || answer === null
    ? answer
    : "rows" in answer
    ? answer.rows
    : undefined
  if (!Array.isArray(rows)) throw new TypeError(`${name}: the statement was answered without rows`)
  return rows
}
