/**
 * Tests tables that are emptied and refilled while a server is running, as during a restore. Plans made for empty
 * tables are slow once the rows are restored.
 */
import { assert, it } from "@effect/vitest"
import { BookingStore } from "@trailbook/core/booking"
import { CustomerStore } from "@trailbook/core/customer"
import { OfferingStore } from "@trailbook/core/offering"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { SessionStore } from "@trailbook/core/session"
import { layer } from "@trailbook/postgres"
import { makeTransactionSettings } from "@trailbook/postgres/transactionSettings"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { Pool } from "pg"
import { database } from "./schema.ts"

const findByKey = "b.idempotency_key) in"

/** Returns the plan that the session would use for its prepared lookup by idempotency key. */
const planOf = async (pool: Pool): Promise<string> => {
  const { rows: [statement] } = await pool.query<{ name: string }>(
    "select name from pg_prepared_statements where statement like $1 and from_sql = false",
    [`%${findByKey}%`]
  )
  assert.isDefined(statement)
  const { rows } = await pool.query<Record<string, string>>(`explain (costs off) execute "${statement?.name}"('[]')`)
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
}

it.scoped(
  "a server replans its queries within seconds after its tables are refilled",
  () =>
    Effect.gen(function*() {
      const { superuserUrl: connectionString } = yield* database()
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new Pool({ connectionString, max: 1 }).on("error", () => {})),
        (pool) => Effect.promise(() => pool.end())
      )
      // `planOf` runs outside a transaction, so the transaction settings are applied to the session.
      const { text } = makeTransactionSettings("trailbook")(undefined)
      yield* Effect.promise(() => pool.query(text.replaceAll(", true)", ", false)").replace("$1", "'*'")))
      const ask = (text: string) => Effect.promise(() => pool.query(text))
      yield* Effect.gen(function*() {
        const orgs = yield* OrgStore
        const customers = yield* CustomerStore
        const offerings = yield* OfferingStore
        const sessions = yield* SessionStore
        const { findByIdempotencyKey, put } = yield* BookingStore
        const { run } = yield* UnitOfWork
        const sample = yield* seedOneOfEachResource
        // A new server checks the tables often at first. After 300 transactions, it relies almost entirely on the
        // periodic check.
        yield* Effect.repeatN(orgs.put(sample.org), 300)

        yield* ask("truncate trailbook.orgs cascade")
        yield* findByIdempotencyKey([{ orgId: sample.org.id, key: newId() }])
        yield* run(Effect.gen(function*() {
          yield* orgs.put(sample.org)
          yield* offerings.put([sample.offering])
          yield* sessions.put([sample.session])
          yield* customers.put([sample.customer])
          yield* put(Array.from({ length: 2000 }, () => {
            const id = newId()
            const idempotency = { key: id, fingerprint: "" }
            return { ...sample.booking, id, handle: id, checkInToken: id, reference: id.slice(-8), idempotency }
          }))
        }))
        assert.notInclude(yield* Effect.promise(() => planOf(pool)), "Index Scan using bookings_by_idempotency_key")

        yield* TestClock.adjust("10 seconds")
        yield* orgs.put(sample.org)
        const rowEstimate = Effect.map(
          ask("select reltuples from pg_class where oid = 'trailbook.bookings'::regclass"),
          ({ rows: [row] }) => Number(row.reltuples)
        )
        // ANALYZE runs in the background and does not block other queries.
        yield* Effect.repeat(Effect.zipLeft(rowEstimate, Effect.promise(() => pool.query("select"))), {
          until: (rows) => rows >= 2000,
          times: 500
        })
        assert.strictEqual(yield* rowEstimate, 2000)
        assert.include(yield* Effect.promise(() => planOf(pool)), "Index Scan using bookings_by_idempotency_key")
      }).pipe(Effect.provide(layer({ pool })))
    })
)
