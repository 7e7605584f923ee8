import { assert, describe, it } from "@effect/vitest"
import { CustomerStore } from "@trailbook/core/customer"
import { OrgStore } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { inspect, layer, migrate } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import { DatabaseUnavailable } from "@trailbook/sql/DatabaseUnavailable"
import { seedOneOfEachResource } from "@trailbook/testkit/law/sampleRows"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { Client } from "pg"
import { startPostgres } from "../../../test/postgres/server.ts"
import { isLong } from "../../../test/runs.ts"
import { database } from "./schema.ts"

/** Returns the failure that a server would report. */
const defect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(work), (exit) => Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

const client = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const connection = new Client({ connectionString: url }).on("error", () => {})
      await connection.connect()
      return connection
    }),
    (connection) => Effect.promise(() => connection.end())
  )

const count = Effect.map(Effect.flatMap(OrgStore, ({ all }) => all), ({ length }) => length)

/** Creates an org in a transaction. Returns its ID if the commit was confirmed. */
const storeOrg: Effect.Effect<Either.Either<string, unknown>, never, Storage> = Effect.flatMap(
  UnitOfWork,
  ({ run }) =>
    Effect.map(
      Effect.exit(run(createEmptyOrg)),
      (exit) => Exit.isSuccess(exit) ? Either.right(exit.value.id) : Either.left(Cause.squash(exit.cause))
    )
)

/** Terminates all other connections to the database. */
const cutOthers = (superuser: Client) =>
  Effect.promise(() =>
    superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
  )

const until = <R>(condition: Effect.Effect<boolean, never, R>) =>
  Effect.timeout(Effect.repeat(condition, { until: (isMet) => isMet }), "20 seconds")

describe("at startup, the storage", () => {
  it.live("names the unreachable database without the password", () =>
    Effect.gen(function*() {
      const url = "postgres://trailbook:secret@127.0.0.1:1/outfitter"
      for (const begin of [Effect.scoped(Effect.asVoid(Effect.provide(count, layer({ url })))), migrate({ url })]) {
        const { message } = yield* Effect.flip(begin)
        assert.strictEqual(
          message,
          "Cannot use the database 127.0.0.1:1/outfitter: connect ECONNREFUSED 127.0.0.1:1"
        )
      }
    }))

  it.live("rejects an invalid database URL or schema name", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(migrate({ url: "postgres://me:secret@h:99999/d" }))
      assert.strictEqual(message, "Cannot use the database with an invalid URL: Invalid URL")
      const odd = yield* Effect.flip(migrate({ url: "postgres://h/d", schema: "Trail; drop" }))
      assert.strictEqual(odd.message, "Cannot use the database h/d: \"Trail; drop\" is not a valid schema name.")
    }))

  it.scopedLive("reports a role that cannot create tables", () =>
    Effect.gen(function*() {
      const { superuserUrl, url } = yield* database("empty")
      const role = new URL(url).username
      const superuser = yield* client(superuserUrl)
      yield* Effect.promise(() =>
        superuser.query(`alter database ${new URL(url).pathname.slice(1)} owner to current_user`)
      )
      assert.match((yield* Effect.flip(migrate({ url }))).message, /permission denied for database/)
      assert.isFalse((yield* inspect({ url })).bypassesRowSecurity, role)
    }))
})

describe("an unavailable database", () => {
  it.scopedLive("is reconnected after all of its connections close", () =>
    Effect.gen(function*() {
      const { superuserUrl, url } = yield* database()
      const superuser = yield* client(superuserUrl)
      const cut = cutOthers(superuser)
      yield* Effect.gen(function*() {
        const { run } = yield* UnitOfWork
        assert.isTrue(Either.isRight(yield* storeOrg))
        yield* count
        yield* cut
        // The running transaction fails even if the connection was closed between two queries.
        const others = Effect.promise(() =>
          superuser.query("select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
        )
        const allCut = Effect.zipRight(cut, until(Effect.map(others, ({ rowCount }) => rowCount === 0)))
        const late = yield* defect(run(Effect.zipRight(createEmptyOrg, Effect.zipRight(allCut, count))))
        assert.instanceOf(late, DatabaseUnavailable)
        yield* until(Effect.map(storeOrg, Either.isRight))
        yield* until(Effect.map(defect(count), (error) => error === undefined))
      }).pipe(Effect.provide(layer({ url })))
    }))

  it.scopedLive("is reconnected if its server becomes read-only", () =>
    Effect.gen(function*() {
      const { superuserUrl, url } = yield* database()
      const superuser = yield* client(superuserUrl)
      const readOnly = (value: "on" | "off") =>
        Effect.promise(() =>
          superuser.query(
            `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${value}`
          )
        )
      yield* Effect.gen(function*() {
        const { query } = yield* Database
        const { run } = yield* UnitOfWork
        const reader = Effect.map(
          query<{ readonly pid: number }>("select pg_backend_pid() as pid"),
          ([row]) => row?.pid
        )
        yield* readOnly("on")
        yield* cutOthers(superuser)
        yield* until(Effect.map(defect(count), (error) => error === undefined))
        const before = yield* reader
        const isRefused = yield* until(
          Effect.map(defect(run(createEmptyOrg)), (error) =>
            error instanceof Error && error.message.includes("read-only"))
        )
        assert.isTrue(isRefused)
        assert.instanceOf(yield* defect(run(createEmptyOrg)), DatabaseUnavailable)
        assert.notStrictEqual(yield* reader, before)

        // Sessions that are already open remain read-only.
        yield* readOnly("off")
        yield* until(Effect.map(storeOrg, Either.isRight))
      }).pipe(Effect.provide(layer({ url })))
      yield* readOnly("on")
      const { message } = yield* Effect.flip(Effect.scoped(Effect.provide(count, layer({ url }))))
      assert.match(message, /the server is read-only\. Connect to the primary/)
    }))

  it.scopedLive.runIf(isLong)(
    "keeps confirmed data if it is killed under load",
    () =>
      Effect.gen(function*() {
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => startPostgres({ fsync: true })),
          (server) => Effect.promise(server.stop)
        )
        const url = server.url("postgres")
        yield* Effect.gen(function*() {
          const answers: Array<Either.Either<string, unknown>> = []
          const load = yield* Effect.fork(
            Effect.forever(Effect.zipRight(Effect.map(storeOrg, (answer) => answers.push(answer)), Effect.yieldNow()))
              .pipe(Effect.replicateEffect(4, { concurrency: "unbounded" }))
          )
          yield* until(Effect.sync(() => answers.length > 20).pipe(Effect.delay("5 millis")))
          yield* Effect.promise(() => server.kill("SIGKILL"))
          yield* until(Effect.delay(Effect.sync(() => answers.some(Either.isLeft)), "5 millis"))
          assert.instanceOf(yield* defect(count), DatabaseUnavailable)

          yield* Effect.promise(server.restart)
          yield* until(Effect.map(storeOrg, Either.isRight))
          yield* Fiber.interrupt(load)
          const confirmedIds = answers.flatMap((answer) => Either.isRight(answer) ? [answer.right] : [])
          const storedIds = new Set((yield* Effect.flatMap(OrgStore, ({ all }) => all)).map(({ id }) => id))
          assert.deepStrictEqual(confirmedIds.filter((id) => !storedIds.has(id)), [])
          for (const answer of answers) {
            if (Either.isLeft(answer)) assert.instanceOf(answer.left, DatabaseUnavailable)
          }
        }).pipe(Effect.provide(layer({ url })))
      })
  )

  it.scopedLive.runIf(isLong)(
    "is reported after four failed attempts to lock a row",
    () =>
      Effect.gen(function*() {
        const { url } = yield* database()
        const other = yield* client(url)
        yield* Effect.gen(function*() {
          const { run } = yield* UnitOfWork
          const customers = yield* CustomerStore
          const [soon, never] = [(yield* seedOneOfEachResource).customer, (yield* seedOneOfEachResource).customer]
          const keep = (id: string) =>
            Effect.promise(() => other.query("select from trailbook.customers where id = $1 for update", [id]))
          yield* Effect.promise(() => other.query("begin; set local trailbook.orgs = '*'"))
          yield* keep(soon.id)
          const third = yield* client(url)
          yield* Effect.promise(() => third.query("begin; set local trailbook.orgs = '*'"))
          yield* Effect.promise(() =>
            third.query("select from trailbook.customers where id = $1 for update", [never.id])
          )

          const again = yield* Deferred.make<void>()
          let tries = 0
          const waits = yield* Effect.fork(run(Effect.gen(function*() {
            if (++tries === 2) yield* Deferred.succeed(again, undefined)
            return yield* customers.lock([soon])
          })))
          let inVain = 0
          const gives = yield* Effect.fork(defect(run(Effect.suspend(() => {
            inVain++
            return customers.lock([never])
          }))))
          yield* Deferred.await(again)
          yield* Effect.promise(() => other.query("commit"))
          assert.lengthOf(yield* Fiber.join(waits), 1)
          const error = yield* Fiber.join(gives)
          assert.instanceOf(error, DatabaseUnavailable)
          assert.match(error.message, /lock timeout/)
          assert.deepStrictEqual([tries, inVain], [2, 4])
        }).pipe(Effect.provide(layer({ url })))
      })
  )

  it.scopedLive.runIf(isLong)(
    "is reported after a statement timeout",
    () =>
      Effect.gen(function*() {
        const { url } = yield* database()
        yield* Effect.gen(function*() {
          const { execute, query } = yield* Database
          const slow = (of: typeof query) =>
            Effect.map(defect(of("select pg_sleep(60)")), (error) => error instanceof Error ? error.message : "")
          const [readError, writeError] = yield* Effect.all([slow(query), slow(execute)], { concurrency: "unbounded" })
          assert.match(readError, /is unavailable.*statement timeout/)
          assert.match(writeError, /is unavailable.*statement timeout/)
        }).pipe(Effect.provide(layer({ url })))
      })
  )

  it.scopedLive("is reported separately for reads and for writes", () =>
    Effect.gen(function*() {
      const { url } = yield* database()
      yield* Effect.gen(function*() {
        const { run, snapshot } = yield* UnitOfWork
        const orgs = yield* OrgStore
        const { id } = yield* createEmptyOrg
        const end = yield* Deferred.make<void>()
        const busy = <A, E, R>(work: Effect.Effect<A, E, R>, times: number) =>
          Effect.fork(Effect.replicateEffect(work, times, { concurrency: "unbounded", discard: true }))
        const holdUnit = (within: typeof run) => within(Effect.zipRight(count, Deferred.await(end)))
        const units = yield* busy(holdUnit(run), 3)
        assert.isTrue(Option.isSome(yield* orgs.find(id)))
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(units)
        const reads = yield* busy(holdUnit(snapshot), 2)
        yield* run(orgs.lock(id))
        yield* Fiber.join(reads)
      }).pipe(Effect.provide(layer({ url, units: 1, readers: 1 })))
    }))
})
