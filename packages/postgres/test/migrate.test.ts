import { assert, describe, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { inspect, layer, migrate } from "@trailbook/postgres"
import { makeMigrations } from "@trailbook/postgres/migrations"
import { findPendingMigrations, getLatestVersion } from "@trailbook/sql/schema/migrate"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client, Pool } from "pg"
import { isLong, runs } from "../../../test/runs.ts"
import { database } from "./schema.ts"
import { stepsOfNewSchema } from "./steps.ts"

const rows = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      let last: ReadonlyArray<Record<string, unknown>> = []
      for (const statement of statements) last = (await client.query<Record<string, unknown>>(statement)).rows
      return last
    } finally {
      await client.end()
    }
  })

const latest = getLatestVersion(makeMigrations("trailbook"))

/**
 * The oldest server version that works with the schema. A migration without `oldestServer` requires a server that knows
 * about the migration.
 */
const oldestServer = Math.max(
  ...(({ oldestVersion, steps }) => steps.map(({ oldestServer }, at) => oldestServer ?? oldestVersion + at + 1))(
    makeMigrations("trailbook")
  )
)

/** The statements that a later version runs to apply one more migration. */
const later = (statement: string, oldestServer?: number): ReadonlyArray<string> => {
  const current = makeMigrations("trailbook")
  const step = { name: "later", statements: [statement], ...(oldestServer === undefined ? {} : { oldestServer }) }
  return Either.getOrThrow(findPendingMigrations(
    { ...current, steps: [...current.steps, step] },
    { last: latest, oldestServer: latest },
    { table: "trailbook.migrations" }
  )).statements
}

const orgs = Effect.flatMap(OrgStore, ({ all }) => all)

describe("a schema", () => {
  it.scopedLive("is created only by the first migration run", () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      assert.deepStrictEqual(yield* migrate({ url }), stepsOfNewSchema)
      assert.deepStrictEqual(yield* migrate({ url }), [])
      assert.deepStrictEqual((yield* inspect({ url })).migrated, { last: latest, oldestServer })
    }))

  it.scopedLive("can have any name and can coexist with other schemas", () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      const [one, other] = [layer({ url, schema: "user" }), layer({ url, schema: "trips_2027" })]
      const { id } = yield* Effect.provide(createEmptyOrg, one)
      assert.deepStrictEqual((yield* Effect.provide(orgs, one)).map((org) => org.id), [id])
      assert.deepStrictEqual(yield* Effect.provide(orgs, other), [])
      const strays = yield* rows(url, "select relname from pg_class where relnamespace = 'public'::regnamespace")
      assert.deepStrictEqual(strays, [])
    }))

  it.scopedLive("is refused if a later version has migrated it", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* rows(url, "insert into trailbook.migrations (number, name) values (1000, 'later')")
      const { message } = yield* Effect.flip(Effect.provide(orgs, layer({ url })))
      assert.match(message, /a newer version.* migrated it to schema version 1000, but this version/)
    }))

  it.scopedLive("is accepted after a later migration that permits this version", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      const { id } = yield* Effect.provide(createEmptyOrg, layer({ url }))
      yield* rows(url, ...later("alter table trailbook.orgs add column color text not null default 'red'", latest))
      for (const count of [2, 3]) {
        const orgList = Effect.provide(Effect.zipRight(createEmptyOrg, orgs), layer({ url }))
        const ids = (yield* orgList).map((org) => org.id)
        assert.include(ids, id)
        assert.lengthOf(ids, count)
      }
      assert.deepStrictEqual(yield* migrate({ url }), [])
    }))

  it.scopedLive("is refused if its last migration permits only later versions", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* rows(url, ...later("alter table trailbook.orgs drop column brief_hour"))
      const { message } = yield* Effect.flip(Effect.provide(orgs, layer({ url })))
      assert.match(
        message,
        new RegExp(`a newer version.* migrated it to schema version ${latest + 1}, but this version`)
      )
    }))

  it.scopedLive("can be used by a role that cannot change tables", () =>
    Effect.gen(function*() {
      const { superuserUrl, url } = yield* database()
      const role = `guest_${Math.random().toString(36).slice(2)}`
      yield* rows(
        superuserUrl,
        `create role ${role} login password 'x'`,
        `grant usage on schema trailbook to ${role}`,
        `grant select, insert, update, delete on all tables in schema trailbook to ${role}`
      )
      const guestUrl = new URL(url)
      guestUrl.username = role
      guestUrl.password = "x"
      const guests = layer({ url: guestUrl.href })
      const { id } = yield* Effect.provide(createEmptyOrg, guests)
      assert.deepStrictEqual((yield* Effect.provide(orgs, guests)).map((org) => org.id), [id])
      yield* rows(superuserUrl, `drop owned by ${role}`, `drop role ${role}`)
    }))

  it.scopedLive("can be used through the host application's pool", () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      const pool = new Pool({ connectionString: url, max: 3 }).on("error", () => {})
      const { id } = yield* Effect.provide(createEmptyOrg, layer({ pool }))
      const answers = yield* Effect.promise(() =>
        pool.query("begin; set local trailbook.orgs = '*'; select id from trailbook.orgs; commit")
      )
      assert.include(JSON.stringify(answers), id)
      assert.isFalse(pool.ended)
      // Our settings applied only to our transactions, so the pool's sessions still have their defaults.
      const answersAfter = yield* Effect.replicateEffect(
        Effect.promise(() =>
          pool.query(
            "select coalesce(current_setting('trailbook.orgs', true), '') as orgs, current_setting('enable_seqscan') as plans"
          )
        ),
        3,
        { concurrency: "unbounded" }
      )
      for (const { rows } of answersAfter) assert.deepStrictEqual(rows, [{ orgs: "", plans: "on" }])
      yield* Effect.promise(() => pool.end())
    }))
})

describe("processes that start concurrently on a new database", () => {
  it.scopedLive("create its schema exactly once", () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      for (let round = 0; round < runs(20, 5); round++) {
        const at = { url, schema: `round_${round}` }
        const results = yield* Effect.all([migrate(at), migrate(at)], { concurrency: "unbounded" })
        assert.deepStrictEqual(results.flat(), stepsOfNewSchema)
      }
    }))

  it.scopedLive.runIf(isLong)("can all use it immediately", () =>
    Effect.gen(function*() {
      const { url } = yield* database("empty")
      const processes = yield* Effect.replicateEffect(start, 3, { concurrency: "unbounded" })
      for (let round = 0; round < 4; round++) {
        const schema = `served_${round}`
        const startups = processes.map((open) => open(`${Date.now() + 20} ${url} ${schema}`))
        const results = yield* Effect.all(startups, { concurrency: "unbounded" })
        assert.deepStrictEqual(results, ["stored", "stored", "stored"])
        assert.lengthOf(yield* Effect.provide(orgs, layer({ url, schema })), 3)
      }
    }))
})

const program = fileURLToPath(new URL("./openInProcess.ts", import.meta.url))

const stop = (child: ChildProcess) => Effect.sync(() => child.kill("SIGKILL"))

/** Starts a process that stores an org in each schema that it is given. */
const start = Effect.gen(function*() {
  const options = ["--conditions=@trailbook/source", "--import", "tsx", program]
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, options, { stdio: ["pipe", "pipe", "inherit"] })),
    stop
  )
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const nextLine = Effect.promise(async () => String((await lines.next()).value))
  assert.strictEqual(yield* nextLine, "ready")
  return (line: string) => Effect.zipRight(Effect.sync(() => child.stdin.write(`${line}\n`)), nextLine)
})
