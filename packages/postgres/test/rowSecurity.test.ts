import { assert, describe, it } from "@effect/vitest"
import { Actor, ApiKeyStore, makeHostActor } from "@trailbook/core/actor"
import { TenantScope, UnitOfWork } from "@trailbook/core/port"
import { inspect, layer } from "@trailbook/postgres"
import { encodeOrgIds } from "@trailbook/postgres/rowSecurity"
import { Database } from "@trailbook/sql/Database"
import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import { origin } from "@trailbook/testkit/generator/moment"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import { Client } from "pg"
import { database } from "./schema.ts"

const as = (orgId: string) => Effect.provideService(Actor, makeHostActor({ orgId, scopes: [] }))

interface OrgRow {
  readonly org_id: string
}

/** Runs a statement without an org filter in each of the four ways to query the database. */
const forgotten = (text: string) =>
  Effect.gen(function*() {
    const { execute, query, snapshot, transaction } = yield* Database
    const ways = [
      query<OrgRow>(text),
      execute<OrgRow>(text),
      snapshot(query<OrgRow>(text)),
      transaction(query<OrgRow>(text))
    ]
    return (yield* Effect.all(ways)).map((rows) => [...new Set(rows.map(({ org_id }) => org_id))].sort())
  })

const tables = ["offerings", "sessions", "customers", "bookings"]

const onEveryWay = (orgs: ReadonlyArray<string>) => [orgs, orgs, orgs, orgs]

const failure = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

describe("a statement without an org filter", () => {
  it.scopedLive("reads only the rows in the tenant scope", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.gen(function*() {
        const [a, b, c] = [
          (yield* seedOneOfEachResource).org.id,
          (yield* seedOneOfEachResource).org.id,
          (yield* seedOneOfEachResource).org.id
        ]
        for (const table of tables) {
          const reads = forgotten(`select org_id from trailbook.${table}`)
          assert.deepStrictEqual(yield* as(a)(reads), onEveryWay([a]), table)
          assert.deepStrictEqual(
            yield* Effect.provideService(reads, TenantScope, [b, c]),
            onEveryWay([b, c]),
            table
          )
          assert.deepStrictEqual(yield* Effect.provideService(reads, TenantScope, []), onEveryWay([]), table)
          assert.deepStrictEqual(yield* reads, onEveryWay([a, b, c]), table)
        }
        const orgs = yield* as(a)(forgotten("select id as org_id from trailbook.orgs"))
        assert.deepStrictEqual(orgs, onEveryWay([a]))
      }).pipe(Effect.provide(layer({ url })))
    }))

  it.scopedLive("cannot write rows of another org", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.gen(function*() {
        const { execute, query } = yield* Database
        const [a, b] = [(yield* seedOneOfEachResource).org.id, (yield* seedOneOfEachResource).org.id]
        yield* as(a)(execute("update trailbook.bookings set notes = 'seen'"))
        yield* as(a)(execute("delete from trailbook.bookings where org_id = $1", [b]))
        const rows = yield* query("select org_id, notes from trailbook.bookings order by org_id")
        assert.deepStrictEqual(rows, [{ org_id: a, notes: "seen" }, { org_id: b, notes: "" }])

        const intrude = execute(
          "insert into trailbook.customers select $1, 'new', 'x@a.co', '', '', '', '{}', 0, null",
          [b]
        )
        const error = yield* failure(as(a)(intrude))
        assert.instanceOf(error, StatementFailed)
        assert.match(error.message, /row-level security policy/)
        assert.isUndefined(yield* failure(as(b)(intrude)))
      }).pipe(Effect.provide(layer({ url })))
    }))

  it.scopedLive(
    "control: reads all orgs' rows without row-level security",
    () =>
      Effect.gen(function*() {
        const { url } = yield* database()
        yield* Effect.gen(function*() {
          const [a, b] = [(yield* seedOneOfEachResource).org.id, (yield* seedOneOfEachResource).org.id]
          for (const table of tables) {
            const orgIds = yield* as(a)(forgotten(`select org_id from trailbook.${table}`))
            assert.deepStrictEqual(orgIds, onEveryWay([a, b]), table)
          }
        }).pipe(Effect.provide(layer({ url, rowSecurity: false })))
      })
  )
})

it.scopedLive("a database session without an org reads no rows", () =>
  Effect.gen(function*() {
    const { superuserUrl, url } = yield* database()
    yield* Effect.provide(seedOneOfEachResource, layer({ url }))
    const countBookings = (url: string) =>
      Effect.promise(async () => {
        const client = new Client({ connectionString: url })
        await client.connect()
        const { rowCount } = await client.query("select from trailbook.bookings")
        await client.end()
        return rowCount
      })
    assert.strictEqual(yield* countBookings(url), 0)
    assert.strictEqual(yield* countBookings(superuserUrl), 1)
  }))

it.scopedLive("row-level security protects every table that contains an org's rows", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const open = yield* Effect.provide(
      Effect.flatMap(Database, ({ query }) =>
        query<{ readonly relname: string }>(`select relname from pg_class
          where relnamespace = 'trailbook'::regnamespace and relkind = 'r'
            and not (relrowsecurity and relforcerowsecurity
              and exists (select from pg_policy where polrelid = pg_class.oid))`)),
      layer({ url })
    )
    assert.sameMembers(open.map(({ relname }) => relname), [
      "migrations",
      "hosted_units",
      "applications",
      "passkey_challenges"
    ])
  }))

it.scopedLive("an API key can be looked up before its org is known", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    yield* Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const { org: { id: orgId } } = yield* seedOneOfEachResource
      const { org: { id: other } } = yield* seedOneOfEachResource
      const key = {
        id: "k",
        orgId,
        name: "key",
        mode: "live" as const,
        digest: "d",
        last4: "last",
        scopes: [],
        createdAt: origin,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null
      }
      yield* keys.put(key)
      assert.propertyVal(yield* keys.find("k"), "_tag", "Some")
      const { run } = yield* UnitOfWork
      assert.propertyVal(yield* as(orgId)(run(keys.find("k"))), "_tag", "Some")
      assert.propertyVal(yield* as(other)(run(keys.find("k"))), "_tag", "None")
    }).pipe(Effect.provide(layer({ url })))
  }))

it.scopedLive("the server warns at startup if its role bypasses row-level security", () =>
  Effect.gen(function*() {
    const { superuserUrl, url } = yield* database()
    const countWarnings = (url: string, rowSecurity: boolean) =>
      Effect.gen(function*() {
        const logs: Array<string> = []
        const logger = Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => logs.push(String(message))))
        yield* Effect.provide(Effect.provide(UnitOfWork, layer({ url, rowSecurity })), logger)
        return logs.filter((line) => line.includes("row-level security")).length
      })
    assert.strictEqual(yield* countWarnings(superuserUrl, true), 1)
    assert.strictEqual(yield* countWarnings(superuserUrl, false), 0)
    assert.strictEqual(yield* countWarnings(url, true), 0)
    assert.isTrue((yield* inspect({ url: superuserUrl })).bypassesRowSecurity)
  }))

it("an org ID that Postgres would interpret as several orgs is rejected", () => {
  for (const id of ["*", "a,b"]) assert.throws(() => encodeOrgIds([id]), /is not a valid org ID/)
})
