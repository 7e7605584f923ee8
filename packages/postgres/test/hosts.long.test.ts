import { assert, describe, it } from "@effect/vitest"
import { UnitOfWork } from "@trailbook/core/port"
import { layer, migrate } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import { createEmptyOrg } from "@trailbook/testkit/law/seedOrg"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Client } from "pg"
import { type Postgres, startPostgres } from "../../../test/postgres/server.ts"

const server = Effect.acquireRelease(
  Effect.promise(() => startPostgres({ fsync: false })),
  (server) => Effect.promise(server.stop)
)

const setReadOnly = (of: Postgres, isReadOnly: boolean) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: of.url("template1") })
    await client.connect()
    await client.query(`alter database postgres set default_transaction_read_only = ${isReadOnly}`)
    await client.end()
  })

const hostOf = (of: Postgres) => new URL(of.url("postgres")).host

describe("a database URL", () => {
  it.scopedLive(
    "with several hosts, follows the writable server through a failover",
    () =>
      Effect.gen(function*() {
        const [first, second] = yield* Effect.all([server, server], { concurrency: 2 })
        yield* setReadOnly(first, true)
        const hosts = ["127.0.0.1:1", hostOf(first), hostOf(second)]
        const config = {
          url: `postgres://postgres@${hosts.join(",")}/postgres?target_session_attrs=read-write`,
          rowSecurity: false
        }
        yield* Effect.gen(function*() {
          const { query } = yield* Database
          const { run } = yield* UnitOfWork
          const currentHost = Effect.map(
            Effect.zipRight(
              run(createEmptyOrg),
              query<{ readonly port: number }>("select inet_server_port() as port")
            ),
            ([row]) => `127.0.0.1:${row?.port}`
          )
          assert.strictEqual(yield* currentHost, hostOf(second))

          yield* setReadOnly(first, false)
          yield* migrate({ ...config, url: first.url("postgres") })
          yield* Effect.promise(() => second.kill("SIGINT"))
          assert.strictEqual(
            yield* Effect.retry(
              Effect.sandbox(currentHost),
              Schedule.intersect(Schedule.recurs(20), Schedule.spaced("100 millis"))
            ),
            hostOf(first)
          )
        }).pipe(Effect.provide(layer(config)))

        yield* setReadOnly(first, true)
        const error = yield* Effect.flip(migrate(config))
        assert.match(
          error.message,
          /^Cannot use the database 127\.0\.0\.1:1,127\.0\.0\.1:\d+,127\.0\.0\.1:\d+\/postgres: /
        )
        assert.isTrue(error.isAway)
      }),
    60_000
  )

  it.effect("causes different errors for an unreachable host and an invalid port", () =>
    Effect.gen(function*() {
      const isAway = (url: string) => Effect.map(Effect.flip(migrate({ url })), (error) => error.isAway)
      assert.isTrue(yield* isAway("postgres://me@127.0.0.1:1/d"))
      assert.isFalse(yield* isAway("postgres://me@h:99999/d"))
    }))
})
