/**
 * A connection over one of somebody else, of whichever driver: all that is known
 * of it is that it takes a text with values and answers with rows.
 *
 * What its driver makes of a value is the host's to choose: of a `bigint` a
 * string, a number or a `BigInt`, and plugins may rename columns. So every
 * statement is asked for one text that has all of its rows, and no driver sees
 * more than that.
 */
import { type Connection, EarlierFailed } from "@trailbook/sql/Connection"
import type { Value } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"
import { sqlState } from "./classifyError.ts"
import { insideSetting } from "./transactionSettings.ts"

/** A transaction that a host has begun on a connection of its own, and ends. */
export interface HostTransaction {
  /** Runs a statement with values for `$1 … $n` in the transaction, and answers with its rows as objects. */
  readonly query: (
    text: string,
    values: ReadonlyArray<Value>
  ) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /**
   * What the transaction runs on: by it is known that two such objects are one
   * transaction. The object itself when it is left out.
   */
  readonly connection?: object | undefined
}

export const make = (host: HostTransaction, schema: string): Connection => {
  // What is left of work whose transaction was ended must not be stored statement by statement. The setting ends with the
  // transaction, and what is empty is no boolean: the statement fails.
  const inside = `current_setting('${insideSetting(schema)}')::boolean as inside`
  let last: Promise<unknown> = Promise.resolve()
  let failed: EarlierFailed | undefined

  /** One after the other: not every driver has a queue. */
  const ask = (text: string, sent: string, values: ReadonlyArray<Value>): Effect.Effect<Rows, unknown> =>
    Effect.uninterruptible(Effect.async((resume) => {
      const answer = last.then(async () => {
        if (failed !== undefined) throw failed
        try {
          return await host.query(sent, values)
        } catch (error) {
          const cause = saidByDatabase(error)
          failed = new EarlierFailed({ text, cause })
          throw cause
        }
      })
      last = answer.catch(() => undefined)
      answer.then((rows) => resume(Effect.succeed(rows)), (error: unknown) => resume(Effect.fail(error)))
    }))

  return {
    run: <Row>(text: string, values: ReadonlyArray<Value>) =>
      Effect.flatMap(
        // A text that looks like JSON would be read by some.
        ask(
          text,
          `with answer as (${text}) select '=' || coalesce(json_agg(answer)::text, '[]') as answer, ${inside} from answer`,
          values
        ),
        (rows) => Effect.try({ try: () => read(rows) as ReadonlyArray<Row>, catch: (error) => error })
      ),
    // Postgres leaves out a read that nothing refers to, its locks too; a write without `returning` cannot be referred to.
    write: (text, values) => {
      const done = /^\s*select\b/i.test(text) ? `(select count(*) from answer) as done, ` : ""
      return Effect.asVoid(ask(text, `with answer as (${text}) select ${done}${inside}`, values))
    },
    foreign: (text, values) => ask(text, text, values),
    control: (text) =>
      Effect.suspend(() => {
        if (text.startsWith("rollback to ")) failed = undefined
        return Effect.asVoid(ask(text, text, []))
      })
  }
}

/** Whether a statement failed because the transaction was not there any more. */
export const isEnded = (error: unknown): boolean =>
  sqlState(error) === "22P02" && error instanceof Error && error.message.endsWith(`""`)

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** What the host gave answers with something else than rows. */
export class NoRows extends TypeError {}

/** JSON comes as text from every connection of ours, so it does from this one. */
const read = (rows: Rows): Rows => {
  const answer = Array.isArray(rows) ? rows[0]?.answer : undefined
  if (typeof answer !== "string") {
    throw new NoRows(
      "query must answer with rows that are objects; clients and transactions of libraries go through fromPg, fromKysely or fromDrizzle"
    )
  }
  return (JSON.parse(answer.slice(1)) as Rows).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "object" && value !== null ? JSON.stringify(value) : value
      ])
    )
  )
}

/** Query builders wrap what the database said into an error whose message has all values, those of guests too. */
const saidByDatabase = (error: unknown): unknown => {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && "severity" in at) return at
  }
  return error
}
