/**
 * Measures how long a confirmation waits behind another outfitter's 5,000 due emails that a worker has already started
 * to send, on both storages. Sending an email takes 5 milliseconds here. Without fair scheduling, the confirmation
 * would wait behind all of the emails for more than a minute.
 */
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { Tasks, TaskStore } from "@trailbook/core/task"
import * as Handler from "@trailbook/core/task/Handler"
import { make, type Task, type TaskKind, taskKinds } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Postgres from "@trailbook/postgres"
import * as Sqlite from "@trailbook/sqlite"
import { makeTaskJob } from "@trailbook/worker/job/taskJob"
import * as Worker from "@trailbook/worker/Worker"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { freshPostgres } from "./FreshPostgres.ts"
import { type Line, median } from "./report.ts"

const waitingTasks = 5000
const rounds = 5
const promisedMs = 2000

/** Handlers that take the same amount of time for every kind of task. `onEnd` is called after each task. */
const makeTasks = (onEnd: (task: Task) => Effect.Effect<void>) => {
  const handler = Handler.make<Task>({
    read: Effect.succeed,
    run: (task) => Effect.as(Effect.zipRight(Effect.sleep("5 millis"), onEnd(task)), "done" as const),
    triedForMinutes: 1
  })
  const handlers: { [Kind in TaskKind]?: Handler.Handler } = {}
  for (const kind of taskKinds) handlers[kind] = handler
  return Tasks.layer(Effect.succeed(handlers as Handler.HandlersByKind))
}

const runOrg = (orgId: string) =>
  Effect.gen(function*() {
    const dueAt = yield* currentTime
    return make({ id: randomUUID(), orgId, kind: "mail.confirmed", subjectId: "b", dueAt })
  })

const openOrg = (name: string) =>
  Effect.gen(function*() {
    const createdAt = yield* currentTime
    const org = Org.make({ id: randomUUID(), name, slug: name, timezone: "UTC", createdAt })
    yield* (yield* OrgStore).put(org)
    return org.id
  })

/** How long the confirmation waits, in milliseconds. */
const measureWait = Effect.gen(function*() {
  const { add } = yield* TaskStore
  const busy = yield* openOrg("busy")
  const calm = yield* openOrg("calm")
  yield* add(yield* Effect.all(Array.from({ length: waitingTasks }, () => runOrg(busy))))
  const completions = new Map<string, Deferred.Deferred<void>>()
  const layer = makeTasks(({ id }) => {
    const completion = completions.get(id)
    return completion === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(completion, undefined))
  })
  return yield* Effect.scoped(Effect.gen(function*() {
    yield* Worker.start({ jobs: Effect.all([makeTaskJob("mail")]), grace: "1 second" })
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      yield* Effect.sleep("500 millis")
      const confirmation = yield* runOrg(calm)
      const completion = yield* Deferred.make<void>()
      completions.set(confirmation.id, completion)
      const from = performance.now()
      yield* add([confirmation])
      yield* Deferred.await(completion)
      times.push(performance.now() - from)
    }
    return times
  })).pipe(Effect.provide(layer))
})

const formatLine = (storage: string, times: ReadonlyArray<number>): Line => ({
  what: `${storage}: wait time (median, maximum)`,
  figure: `${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms`,
  promise: { text: `at most ${promisedMs} ms`, kept: Math.max(...times) <= promisedMs }
})

export const turns = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const sqlite = Sqlite.layer({ filename: join(folder, "turns.sqlite") })
  const lines = [formatLine("SQLite", await Effect.runPromise(Effect.provide(measureWait, sqlite)))]
  const postgres = await freshPostgres()
  try {
    const layer = Layer.orDie(Postgres.layer({ url: postgres.url }))
    lines.push(formatLine("Postgres", await Effect.runPromise(Effect.provide(measureWait, layer))))
  } finally {
    await postgres.stop()
  }
  return lines
}
