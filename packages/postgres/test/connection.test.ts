import { assert, describe, it } from "@effect/vitest"
import { ConnectionLost } from "@trailbook/postgres/classifyError"
import type { ConnectionOptions } from "@trailbook/postgres/client/PipelinedClient"
import { acquireConnection, makeTransactionPool } from "@trailbook/postgres/client/pool"
import { RoundTrip, type StatementResult } from "@trailbook/postgres/client/RoundTrip"
import { EarlierStatementFailed } from "@trailbook/sql/Connection"
import type { ReservedConnection } from "@trailbook/sql/reservedConnection"
import * as Context from "effect/Context"
import { liveServices as defaultServices } from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Tracer from "effect/Tracer"
import { EventEmitter } from "node:events"
import { Pool, type PoolClient } from "pg"
import { database } from "./schema.ts"

const usual: ConnectionOptions = { prepare: true, answerWithinMs: 6000 }

/** Opens a reserved connection to an empty database. */
const openConnection = (options: Partial<ConnectionOptions> = {}) =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 1 }).on("error", () => {})),
      (pool) => Effect.promise(() => pool.end())
    )
    const client = yield* Effect.acquireRelease(
      Effect.promise(() => pool.connect()),
      (client) => Effect.sync(() => client.release(true))
    )
    client.on("error", () => {})
    return { client, connection: yield* over(client, { ...usual, ...options }) }
  })

/** Creates a reserved connection from a client that is already checked out. */
const over = (client: PoolClient, options: ConnectionOptions) => {
  const connect = (callback: (error: undefined, client: PoolClient, release: () => void) => void) =>
    callback(undefined, client, () => {})
  return acquireConnection({ connect } as unknown as Pool, options)
}

/** Returns whether the pool would reuse the connection. */
const isSound = ({ sql }: ReservedConnection): boolean =>
  (sql as unknown as { readonly pg: { readonly isSound: () => boolean } }).pg.isSound()

const precede = ({ open }: ReservedConnection, text: string, ...values: ReadonlyArray<string>) => open(text, values)

const only = <Row>(rows: ReadonlyArray<Row>): Row => rows[0] ?? assert.fail("no row")

const preparedOn = (client: PoolClient) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ name: string }>("select name from pg_prepared_statements order by name")
    return rows.map(({ name }) => name)
  })

const codeOf = <A>(work: Effect.Effect<A, unknown>) =>
  Effect.map(Effect.flip(work), (error) => error instanceof Error && "code" in error ? error.code : error)

const run = ({ run }: ReservedConnection, text: string, ...values: ReadonlyArray<string | number | null>) =>
  run<Record<string, unknown>>(text, values)

describe("query values", () => {
  it.scopedLive("round-trip unchanged with their types", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      const text = `select $1::text, $2::bigint as instant, $3::double precision as real, $4::boolean as yes,
        $5::json, $6::text as none, (select sum(n) from generate_series(1, 3) n) as total, 2::smallint as small`
      const row = only(yield* run(connection, text, "ж\n'", 8_640_000_000_000_000, 0.1, "true", "{\"a\" : 1e2}", null))
      assert.deepStrictEqual(row, {
        text: "ж\n'",
        instant: 8_640_000_000_000_000,
        real: 0.1,
        yes: true,
        json: "{\"a\" : 1e2}",
        none: null,
        total: 6,
        small: 2
      })
    }))

  it.scopedLive("cause a RangeError if a number cannot represent them", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      const error = yield* Effect.flip(run(connection, "select 9007199254740993 as n"))
      assert.instanceOf(error, RangeError)
      assert.deepStrictEqual(yield* run(connection, "select 1 as n"), [{ n: 1 }])
      assert.isTrue(isSound(connection))
    }))
})

describe("a traced transaction", () => {
  it.scopedLive("sends its span to Postgres without preparing a statement per trace", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      const { begin } = makeTransactionPool(Effect.succeed(connection), () => [{ text: "begin", values: [] }])
      const transaction = Effect.gen(function*() {
        yield* begin(connection, undefined)
        const sql = "select current_setting('pg_tracing.trace_context', true) as trace"
        const { trace } = only(yield* run(connection, sql))
        yield* run(connection, "rollback")
        return trace
      })
      const tracer = Tracer.make({
        context: (f) => f(),
        span: (...args) => Context.get(defaultServices, Tracer.Tracer).span(...args)
      })
      for (const name of ["a", "b"]) {
        const [trace, { spanId, traceId }] = yield* Effect.all([transaction, Effect.currentSpan]).pipe(
          Effect.withSpan(name),
          Effect.withTracer(tracer)
        )
        assert.strictEqual(trace, `traceparent='00-${traceId}-${spanId}-01'`)
      }
      const prepared = (yield* preparedOn(client)).length
      // Postgres returns an empty string if an earlier transaction has used the setting.
      assert.strictEqual(yield* Effect.withSpan(transaction, "untraced"), "")
      assert.lengthOf(yield* preparedOn(client), prepared)
    }))
})

describe("a statement", () => {
  it.scopedLive("is prepared only once, regardless of its values", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      for (const n of [1, 2, 3]) assert.deepStrictEqual(yield* run(connection, "select $1::int as n", n), [{ n }])
      assert.lengthOf(yield* preparedOn(client), 1)
      // A pool reuses one client for many reserved connections.
      assert.deepStrictEqual(yield* run(yield* over(client, usual), "select $1::int as n", 4), [{ n: 4 }])
      assert.lengthOf(yield* preparedOn(client), 1)
    }))

  it.scopedLive("is not prepared if prepared statements are disabled", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection({ prepare: false })
      for (const n of [1, 2]) assert.deepStrictEqual(yield* run(connection, "select $1::int as n", n), [{ n }])
      assert.lengthOf(yield* preparedOn(client), 0)
    }))

  it.scopedLive("is prepared again after it fails or the server loses it", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      const divide = (by: number) => run(connection, "select 6 / $1::int as n", by)
      assert.strictEqual(yield* codeOf(divide(0)), "22012")
      assert.deepStrictEqual(yield* divide(3), [{ n: 2 }])
      yield* Effect.promise(() => client.query("deallocate all"))
      assert.strictEqual(yield* codeOf(divide(3)), "26000")
      assert.deepStrictEqual(yield* divide(3), [{ n: 2 }])
    }))

  it.scopedLive("is sent only after the earlier statements complete", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      const counts: Array<number> = []
      let underWay = 0
      const query = client.query.bind(client)
      client.query = ((trip: RoundTrip) => {
        counts.push(++underWay)
        for (const end of ["handleReadyForQuery", "handleError"] as const) {
          const original = trip[end].bind(trip)
          trip[end] = (error?: unknown) => {
            underWay--
            original(error)
          }
        }
        return query(trip)
      }) as typeof client.query
      const atTurn = (n: number, turn: number) =>
        Effect.zipRight(
          Effect.repeatN(Effect.promise(() => Promise.resolve()), turn),
          Effect.either(run(connection, "select 6 / $1::int as n", n))
        )
      const answers = yield* Effect.all([3, 0, 2, 1].map(atTurn), { concurrency: "unbounded" })
      const rows = answers.map((answer) => Either.isRight(answer) ? answer.right : "none")
      assert.deepStrictEqual(rows, [[{ n: 2 }], "none", [{ n: 3 }], [{ n: 6 }]])
      assert.deepStrictEqual(counts, [1, 1, 1, 1])
    }))

  it.scopedLive("closes its connection if it times out", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection({ answerWithinMs: 100 })
      assert.instanceOf(yield* Effect.flip(run(connection, "select pg_sleep(60)")), ConnectionLost)
      assert.isFalse(isSound(connection))
      assert.instanceOf(yield* Effect.flip(run(connection, "select 1")), ConnectionLost)
    }))
})

describe("a leading statement", () => {
  const setting = "select set_config('trailbook.test', $1, true)"
  const readSetting = "select current_setting('trailbook.test', true) as here"

  it.scopedLive("runs in the same transaction as the next statement", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      for (const _ of ["first", "prepared"]) {
        yield* precede(connection, setting, "here")
        assert.deepStrictEqual(yield* run(connection, readSetting), [{ here: "here" }])
        assert.notDeepEqual(yield* run(connection, readSetting), [{ here: "here" }])
      }
    }))

  it.scopedLive("prevents the next statement from running if it fails", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      yield* connection.control("create table seen (n int)")
      yield* precede(connection, "select 1 / 0")
      assert.strictEqual(yield* codeOf(run(connection, "insert into seen values (1)")), "22012")
      assert.deepStrictEqual(yield* run(connection, "select * from seen"), [])
    }))

  it.scopedLive("leaves no transaction open after a commit or rollback", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      for (const end of ["commit", "rollback"]) {
        yield* precede(connection, "begin")
        assert.isFalse(isSound(connection))
        yield* connection.control(end)
        assert.strictEqual(client.getTransactionStatus(), "I")
        assert.isTrue(isSound(connection))
      }
    }))
})

describe("concurrent statements", () => {
  /** Records the arguments of each query call to the client. */
  const parcels = (client: PoolClient) => {
    const calls: Array<unknown> = []
    const query = client.query.bind(client) as (given: unknown) => unknown
    Object.assign(client, { query: (input: unknown) => (calls.push(input), query(input)) })
    return calls
  }

  it.scopedLive("are sent in one message, and each gets its own result", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      const calls = parcels(client)
      const fibers = [1, 2, 3].map((n) => run(connection, "select $1::int as n", n))
      const answers = yield* Effect.all(fibers, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
      assert.lengthOf(calls, 1)
    }))

  it.scopedLive("fail if they follow a failed statement", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      yield* connection.control("begin")
      const fibers = ["select 1 as n", "select 1 / 0", "select 2 as n"].map((text) =>
        Effect.either(run(connection, text))
      )
      const [before, wrong, after] = yield* Effect.all(fibers, { concurrency: "unbounded" })
      assert.deepStrictEqual(before, Either.right([{ n: 1 }]))
      assert.propertyVal(Either.getOrThrow(Either.flip(wrong ?? assert.fail())), "code", "22012")
      const behind = Either.getOrThrow(Either.flip(after ?? assert.fail()))
      assert.instanceOf(behind, EarlierStatementFailed)
      assert.propertyVal(behind, "text", "select 1 / 0")
    }))

  it.scopedLive("are sent in the commit's message if they are pending writes", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      yield* connection.control("create table seen (n int)")
      const calls = parcels(client)
      yield* precede(connection, "begin")
      yield* connection.write("insert into seen values ($1)", [1])
      yield* connection.write("insert into seen values ($1)", [2])
      assert.isFalse(isSound(connection))
      yield* connection.control("commit")
      assert.lengthOf(calls, 1)
      assert.isTrue(isSound(connection))
      assert.deepStrictEqual(yield* run(connection, "select sum(n) as sum from seen"), [{ sum: 3 }])
    }))

  it.scopedLive("are not sent if they are rolled back while pending", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* openConnection()
      const calls = parcels(client)
      yield* precede(connection, "begin")
      yield* connection.write("insert into nowhere values ($1)", [1])
      yield* connection.control("rollback")
      assert.lengthOf(calls, 0)
      assert.isTrue(isSound(connection))
    }))

  it.scopedLive("report which pending write made the commit fail", () =>
    Effect.gen(function*() {
      const { connection } = yield* openConnection()
      yield* connection.control("begin")
      yield* connection.write("insert into nowhere values ($1)", [1])
      const error = yield* Effect.flip(connection.control("commit"))
      assert.instanceOf(error, EarlierStatementFailed)
      assert.strictEqual(error.text, "insert into nowhere values ($1)")
      assert.propertyVal(error.cause, "code", "42P01")
      yield* connection.control("rollback")
      assert.isTrue(isSound(connection))
    }))
})

it("a round trip completes only once despite a late pool timeout", () => {
  const calls: Array<readonly [ReadonlyArray<StatementResult>, unknown]> = []
  const prepared = new Map()
  const trip = new RoundTrip(
    [{ name: "one", text: "select 1", values: [] }],
    prepared,
    0,
    (answers, error) => calls.push([[...answers], error])
  )
  trip.handleCommandComplete({ text: "SELECT 1" })
  trip.handleReadyForQuery()
  trip.handleError(new Error("Query read timeout"))
  assert.deepStrictEqual(calls, [[[{ rows: [], command: "SELECT 1" }], undefined]])
  assert.isTrue(prepared.has("one"))
})

it.scopedLive("a connection with an open transaction is not returned to the pool", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 1 }).on("error", () => {})),
      (pool) => Effect.promise(() => pool.end())
    )
    const session = (first: string) =>
      Effect.scoped(
        Effect.flatMap(
          acquireConnection(pool, usual),
          (connection) => Effect.zipRight(connection.control(first), run(connection, "select pg_backend_pid() as pid"))
        )
      )
    const firstSession = yield* session("begin")
    const next = yield* session("select 1")
    assert.notDeepEqual(next, firstSession)
    assert.deepStrictEqual(yield* session("select 1"), next)
  }))

it.scopedLive("the commit of a failed transaction is reported as an error", () =>
  Effect.gen(function*() {
    const { connection } = yield* openConnection()
    yield* connection.control("begin")
    yield* Effect.flip(run(connection, "select 1 / 0"))
    assert.isFalse(isSound(connection))
    assert.propertyVal(
      yield* Effect.flip(connection.control("commit")),
      "message",
      "Postgres answers ROLLBACK to COMMIT."
    )
    assert.isTrue(isSound(connection))
  }))

describe("an idle client's error", () => {
  /**
   * Returns a pool that lends out the client. Like `pg`, the pool does not listen for errors from a checked-out client.
   */
  const lending = (client: EventEmitter, then: () => void): Pool => {
    const connect = (callback: (error: undefined, client: unknown) => void) => {
      callback(undefined, client)
      then()
    }
    return { connect } as unknown as Pool
  }
  const newClient = () => Object.assign(new EventEmitter(), { release: () => {}, getTransactionStatus: () => "T" })
  const fails = (client: EventEmitter) => client.emit("error", new Error("terminating connection"))

  it.live("does not crash the process while the client is acquired", () => {
    const client = newClient()
    return Effect.asVoid(Effect.scoped(acquireConnection(lending(client, () => fails(client)), usual)))
  })

  it.live("does not crash the process after the client is discarded", () =>
    Effect.gen(function*() {
      const client = newClient()
      yield* Effect.scoped(acquireConnection(lending(client, () => {}), usual))
      fails(client)
    }))

  it.live("is handled by the pool after the client is released", () =>
    Effect.gen(function*() {
      const client = Object.assign(newClient(), { getTransactionStatus: () => "I" })
      yield* Effect.scoped(acquireConnection(lending(client, () => {}), usual))
      assert.strictEqual(client.listenerCount("error"), 0)
    }))
})
