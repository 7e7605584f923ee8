import type { Calls, ResultCalls } from "./Calls.ts"

/**
 * A transaction on Postgres that the program has begun and ends. `fromPg`,
 * `fromKysely` and `fromDrizzle` make one of what these libraries have; for another
 * library it is written in a few lines.
 */
export interface HostTransaction {
  /** Runs a statement with values for `$1 … $n` in the transaction, and answers with its rows as objects. */
  readonly query: (
    text: string,
    values: ReadonlyArray<string | number | null>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /**
   * What the transaction runs on: by it is known that two such objects are one
   * transaction. The object itself when it is left out.
   */
  readonly connection?: object | undefined
}

/**
 * The operations, done in a transaction of the program: committed with it, or
 * never there. A refusal undoes what the one call did and leaves the transaction
 * as it was. Those of webhooks are not among them, for they look at addresses.
 */
export interface Within extends Omit<Calls, "webhooks"> {
  readonly try: Omit<ResultCalls, "webhooks">
}
