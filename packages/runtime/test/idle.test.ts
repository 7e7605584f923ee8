/** Tests how often an idle worker queries its database, and how soon it finds new work. */
import { it } from "@effect/vitest"
import { TaskHandlers } from "@trailbook/core/handler"
import { Mailer } from "@trailbook/core/mail"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { TaskStore } from "@trailbook/core/task"
import { make } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { Database } from "@trailbook/sql/Database"
import * as SqlStorage from "@trailbook/sql/SqlStorage"
import * as SqliteDatabase from "@trailbook/sqlite/SqliteDatabase"
import * as SettableClock from "@trailbook/testkit/fake/SettableClock"
import * as Worker from "@trailbook/worker/Worker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert } from "vitest"
import { engineLayer } from "../src/engineLayer.ts"
import { makeWorkerJobs } from "../src/jobs.ts"
import * as NodeIds from "../src/NodeIds.ts"

/** Creates a storage adapter that records its statements. */
const recordStatements = () => {
  const statements: Array<string> = []
  const counting = <Values extends ReadonlyArray<unknown>, A>(
    ask: (text: string, ...values: Values) => Effect.Effect<A>
  ) =>
  (text: string, ...values: Values) =>
    Effect.suspend(() => {
      statements.push(text)
      return ask(text, ...values)
    })
  const database = Layer.effect(
    Database,
    Effect.map(Database, (database) => ({
      ...database,
      query: <Row>(...args: Parameters<typeof database.query>) => counting(database.query<Row>)(...args),
      execute: <Row>(...args: Parameters<typeof database.execute>) => counting(database.execute<Row>)(...args),
      write: counting(database.write),
      erase: counting(database.erase)
    }))
  )
  const storage = SqlStorage.layer.pipe(
    Layer.provideMerge(database),
    Layer.provide(Layer.orDie(SqliteDatabase.layer({ filename: ":memory:" })))
  )
  return { statements, storage }
}

const silentMailer = Layer.succeed(Mailer, Mailer.of({ send: () => Effect.dieMessage("Nobody is written to.") }))

const over = (storage: ReturnType<typeof recordStatements>["storage"]) =>
  TaskHandlers.layer({ publicUrl: "https://book.example.com" }).pipe(
    Layer.provide(silentMailer),
    Layer.provideMerge(engineLayer(NodeIds.layer, "none")),
    Layer.provideMerge(storage)
  )

/** Runs a test with a clock that, unlike `TestClock`, does not wait for the event loop on each step. */
const withClock = <A, E, R>(test: (clock: SettableClock.SettableClock) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    SettableClock.make(Instant.make(Date.UTC(2026, 4, 1))),
    (clock) => Effect.withClock(test(clock), clock)
  )

const pass = (clock: SettableClock.SettableClock, times: number) =>
  Effect.forEach(
    Array.from({ length: times }),
    () => Effect.zipRight(clock.advance(50), Effect.repeatN(Effect.yieldNow(), 100)),
    { discard: true }
  )

const subscriber = {
  orgId: "0197a1b2-0000-7000-8000-000000000001",
  name: "crm",
  type: "*",
  from: "now",
  tell: () => Effect.void,
  isCanceled: Effect.succeed(false)
} as const

const openOrg = Effect.gen(function*() {
  const createdAt = yield* currentTime
  yield* (yield* OrgStore).put(
    Org.make({ id: subscriber.orgId, name: "River", slug: "river", timezone: "UTC", createdAt })
  )
})

const { getPendingWork, jobs } = makeWorkerJobs({ subscribers: Effect.succeed([subscriber]) })

const seconds = 20

/** Returns the number of statements per second after the first polls. */
const statementsPerSecond = (options: { readonly getPendingWork?: typeof getPendingWork }) => {
  const { statements, storage } = recordStatements()
  return withClock((clock) =>
    Effect.gen(function*() {
      yield* openOrg
      yield* Worker.start({ jobs, ...options, grace: "10 seconds" })
      yield* pass(clock, 100)
      statements.length = 0
      yield* pass(clock, 20 * seconds)
      return statements.length / seconds
    }).pipe(Effect.provide(over(storage)))
  )
}

it.scoped(
  "an idle worker queries its database at most five times a second",
  () =>
    Effect.map(statementsPerSecond({ getPendingWork }), (perSecond) => {
      assert.isAtMost(perSecond, 5)
      assert.isAbove(perSecond, 3)
    })
)

it.scoped(
  "control: an idle worker queries more often if each job polls separately",
  () => Effect.map(statementsPerSecond({}), (perSecond) => assert.isAbove(perSecond, 10))
)

it.scoped("an idle worker runs a new email task within 250 ms", () => {
  const { storage } = recordStatements()
  return withClock((clock) =>
    Effect.gen(function*() {
      yield* openOrg
      yield* Worker.start({ jobs, getPendingWork: getPendingWork, grace: "10 seconds" })
      yield* pass(clock, 100)
      const { add } = yield* TaskStore
      const { query } = yield* Database
      for (const at of [0, 1, 2, 3, 4]) {
        yield* pass(clock, 20 + at)
        const id = `0197a1b2-0000-7000-8000-00000000010${at}`
        yield* add([make({ id, orgId: subscriber.orgId, kind: "mail.held", subjectId: id, dueAt: yield* currentTime })])
        yield* pass(clock, 5)
        // The booking no longer exists, so the task completes without an email.
        assert.deepStrictEqual(yield* query("select id from tasks"), [])
      }
    }).pipe(Effect.provide(over(storage)))
  )
})
