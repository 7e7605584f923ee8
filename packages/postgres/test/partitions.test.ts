/** Tests that an operator can partition the tables by org. Postgres then requires `org_id` in every unique key. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client, type QueryResultRow } from "pg"
import { database } from "./schema.ts"

/**
 * Keys without `org_id`. Except for the payment intent, each key is used to find the org when an ID or secret arrives
 * without one: in a link, an email, an API key, a cookie, or a provider's request. Links that have already been mailed
 * must keep working, so these keys stay. A new key must contain `org_id`. Otherwise, its migration fails on partitioned
 * tables.
 */
const withoutOrg = [
  "api_keys_by_id",
  "bookings_by_check_in_token",
  "bookings_by_handle",
  "conversations_by_token",
  "grant_codes_by_digest",
  "grant_tokens_by_digest",
  "logins_by_digest",
  "messages_by_bounce_token",
  "passkeys_by_id",
  "payment_connections_by_id",
  "payments_by_intent",
  "sign_in_links_by_digest",
  "webhooks_by_id"
]

const tables = `select c.oid::regclass::text as name, exists (
    select from pg_attribute where attrelid = c.oid and attname = 'org_id'
  ) as has_org
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'trailbook'::regnamespace order by 1`

const indexes = `select c.relname as name, pg_get_indexdef(c.oid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'trailbook'::regnamespace and exists (
    select from pg_attribute where attrelid = t.oid and attname = 'org_id'
  ) order by 1`

const references = `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'trailbook'::regnamespace order by 1, 2`

const toCopy = (text: string) => text.replaceAll("trailbook.", "partitioned.")

describe("tables with an org column", () => {
  it.scopedLive(
    "can be partitioned by org, with indexes and foreign keys",
    () =>
      Effect.gen(function*() {
        const { superuserUrl } = yield* database()
        const client = yield* Effect.acquireRelease(
          Effect.promise(async () => {
            const connection = new Client({ connectionString: superuserUrl })
            await connection.connect()
            return connection
          }),
          (connection) => Effect.promise(() => connection.end())
        )
        const run = (statement: string) =>
          Effect.tryPromise(async () => (await client.query<QueryResultRow>(statement)).rows)

        yield* run("create schema partitioned")
        const all = yield* run(tables)
        for (const { has_org, name } of all) {
          const copy = toCopy(name)
          if (has_org !== true) {
            yield* run(`create table ${copy} (like ${name} including all)`)
            continue
          }
          yield* run(`create table ${copy} (like ${name} including all excluding indexes) partition by hash (org_id)`)
          for (let part = 0; part < 16; part++) {
            yield* run(
              `create table ${copy}_${part} partition of ${copy} for values with (modulus 16, remainder ${part})`
            )
          }
        }
        assert.isAbove(all.filter(({ has_org }) => has_org).length, 30)

        const names: Array<string> = []
        for (const { definition, name } of yield* run(indexes)) {
          yield* Effect.catchAll(run(toCopy(definition)), ({ cause }) => {
            assert.match(String(cause), /unique constraint on partitioned table must include all partitioning columns/)
            names.push(name)
            return Effect.void
          })
        }
        assert.deepStrictEqual(names, withoutOrg)
        for (const { definition, name } of yield* run(references)) {
          yield* run(`alter table ${toCopy(name)} add ${toCopy(definition)}`)
        }

        const [plan] = yield* run(
          "explain (format json) select from partitioned.bookings where org_id = 'a' and id = 'b'"
        )
        assert.lengthOf([...JSON.stringify(plan).matchAll(/"Relation Name":"bookings_\d+"/g)], 1)
      }),
    60_000
  )
})
