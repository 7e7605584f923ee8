import type { Calls, ResultCalls } from "../Calls.ts"

/**
 * A Postgres transaction that the host application begins and ends. `fromPg`, `fromKysely`, and `fromDrizzle` convert
 * those libraries' transactions. For other libraries, implement `query`.
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
export interface Within extends Omit<Calls, "webhooks"> {
  readonly try: Omit<ResultCalls, "webhooks">
}
