import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { TenantScope } from "@trailbook/core/port"
import { layer } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import { StatementFailed } from "@trailbook/sql/DatabaseUnavailable"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Client } from "pg"
import { runs } from "../../../test/runs.ts"
import { countingPool } from "./countingPool.ts"
import { database } from "./schema.ts"

const scoped = (tenants: ReadonlyArray<string> | undefined) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  tenants === undefined ? work : Effect.provideService(work, TenantScope, tenants)

const together = <A, E, R>(work: Iterable<Effect.Effect<A, E, R>>) => Effect.all(work, { concurrency: "unbounded" })

const session = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const openPool = Effect.gen(function*() {
  const { url } = yield* database()
  const { countIn, pool } = yield* countingPool(url)
  const hosted = Layer.unwrapEffect(Effect.map(PgClient.PgClient, (client) => layer({ client })))
  const client = Layer.provide(hosted, PgClient.layerFromPool({ acquire: Effect.succeed(pool) }))
  return { countIn, url, storages: { "a pool": layer({ pool }), "a client": client } }
})

describe.each(["a pool", "a client"] as const)(
  "batched lookups over %s",
  (kind) => {
    it.scopedLive("share a round trip, and read only their own orgs' rows", () =>
      Effect.gen(function*() {
        const { countIn, storages } = yield* openPool
        yield* Effect.gen(function*() {
          const { lookup } = yield* Database
          const orgs = [
            (yield* seedOneOfEachResource).org.id,
            (yield* seedOneOfEachResource).org.id,
            (yield* seedOneOfEachResource).org.id
          ]
            .sort()
          // The query has no org filter, so only row-level security separates the orgs.
          const lookUpOrgs = (tenants: ReadonlyArray<string> | undefined) =>
            Effect.map(
              scoped(tenants)(
                lookup<{ readonly org_id: string }>("select org_id from trailbook.bookings order by org_id")
              ),
              (rows) => rows.map(({ org_id }) => org_id)
            )
          const scopes = FastCheck.array(FastCheck.option(FastCheck.subarray(orgs), { nil: undefined }), {
            minLength: 1,
            maxLength: 16
          })
          const property = FastCheck.asyncProperty(scopes, async (scopes) => {
            const { counts, result } = await Effect.runPromise(countIn(together(scopes.map(lookUpOrgs))))
            assert.deepStrictEqual(result, scopes.map((tenants) => tenants ?? orgs))
            assert.strictEqual(counts.trips, 1)
            assert.isAtMost(counts.statements, 2 * scopes.length)
          })
          yield* Effect.promise(() => FastCheck.assert(property, { numRuns: runs(200, 30) }))
        }).pipe(Effect.provide(storages[kind]))
      }))

    it.scopedLive("fail individually", () =>
      Effect.gen(function*() {
        const { storages } = yield* openPool
        yield* Effect.gen(function*() {
          const { lookup } = yield* Database
          const property = FastCheck.asyncProperty(
            FastCheck.array(FastCheck.boolean(), { maxLength: 20 }),
            async (fails) => {
              const exits = await Effect.runPromise(
                together(
                  fails.map((isFailing, n) =>
                    Effect.exit(lookup<{ readonly n: number }>(`select $1::int / $2::int as n`, [n, isFailing ? 0 : 1]))
                  )
                )
              )
              exits.forEach((exit, n) => {
                if (fails[n] === true) {
                  assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StatementFailed)
                } else assert.deepStrictEqual(exit, Exit.succeed([{ n }]))
              })
            }
          )
          yield* Effect.promise(() => FastCheck.assert(property, { numRuns: runs(100, 20) }))
        }).pipe(Effect.provide(storages[kind]))
      }))

    it.scopedLive("do not wait for blocked reads or row locks", () =>
      Effect.gen(function*() {
        const { storages, url } = yield* openPool
        const blocker = yield* session(url)
        const ask = (text: string) => Effect.promise(() => blocker.query(text))
        yield* Effect.gen(function*() {
          const { lookup, query } = yield* Database
          const orgs = yield* OrgStore
          const { org } = yield* seedOneOfEachResource
          yield* ask("set trailbook.orgs = '*'")
          yield* ask("begin; select from trailbook.orgs for update; select pg_advisory_xact_lock(64)")
          const blockedQuery = yield* Effect.fork(query("select pg_advisory_xact_lock(64)"))
          const lock = yield* Effect.fork(orgs.lock(org.id))
          const rows = yield* together([lookup("select 1 as n"), lookup("select 2 as n")])
          assert.deepStrictEqual(rows, [[{ n: 1 }], [{ n: 2 }]])
          assert.isNull(blockedQuery.unsafePoll())
          assert.isNull(lock.unsafePoll())
          yield* ask("commit")
          yield* Fiber.join(blockedQuery)
          yield* Fiber.join(lock)
        }).pipe(Effect.provide(storages[kind]))
      }))

    it.scopedLive("are deduplicated, but do not reuse a lookup already in flight", () =>
      Effect.gen(function*() {
        const { countIn, storages, url } = yield* openPool
        const blocker = yield* session(url)
        yield* Effect.gen(function*() {
          const { lookup, query } = yield* Database
          /** Completes once `count` lookups are waiting for the lock. */
          const awaitWaiters = (count: number): Effect.Effect<void> =>
            Effect.flatMap(
              query<{ readonly n: number }>("select count(*) as n from pg_locks where objid = 65 and not granted"),
              ([row]) => row?.n === count ? Effect.void : awaitWaiters(count)
            )
          const countRevoked = lookup<{ readonly n: number }>(
            `with held as materialized (select pg_advisory_xact_lock_shared(65))
            select (select count(*) from pg_class where relname = 'revoked') as n from held`
          )
          const one = yield* countIn(together([countRevoked, countRevoked, countRevoked]))
          assert.deepStrictEqual(one.counts, { trips: 1, statements: 2 })
          yield* Effect.promise(() => blocker.query("select pg_advisory_lock(65)"))
          const first = yield* Effect.fork(countRevoked)
          yield* awaitWaiters(1)
          yield* Effect.promise(() => blocker.query("create temporary table revoked ()"))
          const later = yield* Effect.fork(countRevoked)
          yield* awaitWaiters(2)
          yield* Effect.promise(() => blocker.query("select pg_advisory_unlock(65)"))
          assert.deepStrictEqual(yield* Fiber.join(first), [{ n: 0 }])
          assert.deepStrictEqual(yield* Fiber.join(later), [{ n: 1 }])
        }).pipe(Effect.provide(storages[kind]))
      }))
  }
)

it.scopedLive("a lost connection causes only its in-flight lookups to fail", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const admin = yield* session(url)
    yield* Effect.gen(function*() {
      const { lookup } = yield* Database
      const lost = yield* Effect.fork(Effect.exit(lookup("select pg_sleep(60)")))
      /** Terminates the lookup's session. Retries until the session is found. */
      const end: Effect.Effect<void> = Effect.flatMap(
        Effect.promise(() =>
          admin.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()"
          )
        ),
        ({ rows }) => rows.length > 0 ? Effect.void : end
      )
      yield* end
      assert.isTrue(Exit.isFailure(yield* Fiber.join(lost)))
      assert.deepStrictEqual(yield* lookup("select 1 as n"), [{ n: 1 }])
    }).pipe(Effect.provide(layer({ url })))
  }))
