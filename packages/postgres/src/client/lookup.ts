/**
 * Runs reads by key outside of transactions. Lookups from one turn of the event loop share a connection and a round
 * trip, because a round trip costs the server and the database more than a statement does. More lookups can join them
 * until a connection is free. Identical lookups are sent once, but only after the last caller has submitted its lookup,
 * so a revoked API key is rejected on the next request.
 */
import { EarlierStatementFailed } from "@trailbook/sql/Connection"
import type { Driver } from "@trailbook/sql/Database"
import type { SqlValue } from "@trailbook/sql/Dialect"
import * as Effect from "effect/Effect"
import type { Pool, PoolClient } from "pg"
import { ConnectionLost } from "../classifyError.ts"
import type { SettingsStatement } from "../transactionSettings.ts"
import { hintedStatementEncoder } from "./preparedStatements.ts"

type Run = Driver["reader"]["run"]

type Rows = Effect.Effect<ReadonlyArray<never>, unknown>

interface Lookup {
  /** The settings statement. Undefined for a lookup that does not read a table. */
  readonly settings: SettingsStatement | undefined
  readonly text: string
  readonly values: ReadonlyArray<SqlValue>
  /** Runs this read on a separate connection. */
  readonly separateRead: Rows
  readonly callers: Array<(rows: Rows) => void>
}

/** The maximum number of lookups in one round trip. The limit bounds how long one lookup waits for the others. */
const maxBatchSize = 16

/** Creates a function that runs lookups. `runAlone` runs a read on a separate connection. */
export const makeLookup = (
  pool: Pool,
  settingsFor: (tenants: ReadonlyArray<string> | undefined) => SettingsStatement,
  runAlone: Run
) => {
  // Whenever this map has entries, a connection has been requested for them.
  const queue = new Map<string, Lookup>()

  const connect = (): void =>
    pool.connect((error, client, release) => {
      const lookups = [...queue].slice(0, maxBatchSize).map(([key, lookup]) => {
        queue.delete(key)
        return lookup
      })
      if (queue.size > 0) connect()
      if (client !== undefined) return send(client, lookups, release)
      for (const lookup of lookups) completeLookup(lookup, Effect.fail(new ConnectionLost(error)))
    })

  return <Row>(
    text: string,
    values: ReadonlyArray<SqlValue>,
    tenants: ReadonlyArray<string> | undefined,
    readsTable = true
  ) =>
    Effect.async<ReadonlyArray<Row>, unknown>((resume) => {
      const settings = readsTable ? settingsFor(tenants) : undefined
      const key = JSON.stringify([settings?.values, text, values])
      const existing = queue.get(key)
      if (existing !== undefined) return void existing.callers.push(resume)
      if (queue.size === 0) setImmediate(connect)
      queue.set(key, {
        settings,
        text,
        values,
        separateRead: runAlone<never>(text, values, tenants),
        callers: [resume]
      })
    })
}

const completeLookup = ({ callers }: Lookup, rows: Rows): void => {
  for (const resume of callers) resume(rows)
}

/** Sends the lookups and their settings in one round trip, as one transaction. */
const send = (client: PoolClient, lookups: ReadonlyArray<Lookup>, release: () => void): void => {
  let unansweredCount = lookups.length
  // A lost connection fails its statements and emits an error. Without a listener, the error would crash the process.
  client.on("error", ignoreError)
  let orgs: SqlValue | undefined
  for (const lookup of lookups) {
    const { separateRead, settings, text, values } = lookup
    if (settings !== undefined && settings.values[0] !== orgs) {
      client.query(hintedStatementEncoder.text(settings.text, "later"), [...settings.values], () => {})
      orgs = settings.values[0]
    }
    client.query<never>(hintedStatementEncoder.text(text, "now"), [...values], (error: unknown, result) => {
      unansweredCount--
      if (unansweredCount === 0) {
        client.off("error", ignoreError)
        release()
      }
      if (error === null) return completeLookup(lookup, Effect.succeed(result.rows))
      // A failed statement aborts the later statements, so they run again on separate connections.
      completeLookup(lookup, error instanceof EarlierStatementFailed ? separateRead : Effect.fail(error))
    })
  }
}

const ignoreError = (): void => {}
