import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SafeIntegers } from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import type { Value } from "@trailbook/sql/Dialect"
import {
  driverCause,
  type ReservedConnection,
  reserveOver,
  runUnprepared,
  type SendMode,
  unwrapSqlError
} from "@trailbook/sql/reservedConnection"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A client of `@effect/sql-sqlite-node`, with its only connection. */
export interface OpenConnection {
  readonly client: SqliteClient.SqliteClient
  /** For whoever has reserved it, or waits for nobody. */
  readonly connection: ReservedConnection
}

/** Opens a file until the scope closes, or fails with what the driver threw. */
export const open = (
  filename: string,
  options: { readonly readonly?: boolean } = {}
): Effect.Effect<OpenConnection, unknown, Scope.Scope> =>
  SqliteClient.make({
    filename,
    ...options,
    // Its pragma comes with ours, in their order.
    disableWAL: true,
    prepareCacheSize: 1000,
    prepareCacheTTL: Duration.infinity
  }).pipe(
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
    Effect.flatMap(useClient),
    // A file that cannot be opened is thrown.
    Effect.catchAllDefect((defect) => Effect.fail(defect)),
    Effect.mapError(driverCause)
  )

/** A client that somebody else has made. */
export const useClient = (client: SqliteClient.SqliteClient): Effect.Effect<OpenConnection, unknown> =>
  Effect.map(Effect.scoped(client.reserve), (sql) => ({ client, connection: connection(sql) }))

/** From so many rows on they are asked for as cells. */
const many = 8

/**
 * Rows that come in numbers come as cells, and an object is made of them by a literal
 * that was written once: the driver would set one property after the other, which for
 * a list takes longer than to find its rows. Whether they do is told by how many there
 * were the last time, for to ask for cells takes longer than to set those of a few.
 */
export const connection = (sql: SqlConnection.Connection): ReservedConnection => {
  const reserved = reserveOver(sql, sending)
  const shapes = new Map<string, Shape>()
  return {
    ...reserved,
    // By name, because what looks like a parameter may stand within quotes.
    foreign: (text, values) =>
      unwrapSqlError(runUnprepared(sql, text, values.length === 0 ? [] : [Object.fromEntries(values.map(numbered))])),
    run: <Row>(text: string, values: ReadonlyArray<Value>): Effect.Effect<ReadonlyArray<Row>, unknown> => {
      const shape = shapes.get(text)
      const whole = (): Effect.Effect<ReadonlyArray<Row>, unknown> => plain(reserved.run<Row>(text, values))
      if (shape === undefined) {
        return Effect.tap(whole(), (rows) => {
          if (rows[0] !== undefined && isRead(text)) {
            shapes.set(text, shapeOf(Object.keys(rows[0] as object), rows.length))
          }
        })
      }
      if (shape === "none") return whole()
      if (shape.rows < many) {
        return Effect.tap(whole(), (rows) => {
          shape.rows = rows.length
        })
      }
      const { order, text: sent } = translated(text)
      return unwrapSqlError(Effect.flatMap(
        sql.executeValues(sent, order.map((at) => values[at])),
        (rows): Effect.Effect<ReadonlyArray<Row>, unknown> => {
          if (rows[0] === undefined || rows[0].length === shape.width) {
            shape.rows = rows.length
            return Effect.succeed(rows.map((cells) => shape.row(cells) as Row))
          }
          // Two columns have one name.
          shapes.set(text, "none")
          return whole()
        }
      ))
    }
  }
}

const numbered = (value: Value, at: number) => [at + 1, value] as const

/** It may be said twice. */
const isRead = (text: string): boolean =>
  /^\s*(?:select|with)\b/.test(text) && !/\b(?:insert|update|delete)\b/.test(text)

/** A statement that was once asked for `BigInt`s, as a program may ask for its own, would answer with them ever after. */
const plain = <A>(ask: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.withFiberRuntime(({ currentContext }) =>
    Context.get(currentContext, SafeIntegers) ? Effect.provideService(ask, SafeIntegers, false) : ask
  )

interface Translated {
  readonly text: string
  /** Which value goes where: numbered parameters would be looked up by name, one after the other. */
  readonly order: ReadonlyArray<number>
}

const known = new Map<string, Translated>()

const translated = (text: string): Translated => {
  const found = known.get(text)
  if (found !== undefined) return found
  const order: Array<number> = []
  const made = {
    text: text.replace(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return "?"
    }),
    order
  }
  known.set(text, made)
  return made
}

const sending: SendMode = {
  text: (text, how) => how === "control" ? text : translated(text).text,
  values: (text, values) => translated(text).order.map((at) => values[at])
}

interface Shaped {
  readonly width: number
  readonly row: (cells: ReadonlyArray<unknown>) => unknown
  /** How many there were when it was asked for last. */
  rows: number
}

type Shape = Shaped | "none"

/** Of the names of our own columns. Numbers would stand before them, whatever their order. */
const shapeOf = (names: ReadonlyArray<string>, rows: number): Shape => {
  if (names.some((name) => /^\d/.test(name))) return "none"
  const fields = names.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  // oxlint-disable-next-line typescript/no-implied-eval
  const row = new Function("cells", `return { ${fields.join(", ")} }`) as (cells: ReadonlyArray<unknown>) => unknown
  return { width: names.length, row, rows }
}
