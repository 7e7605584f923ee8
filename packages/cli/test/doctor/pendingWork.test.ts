import { OrgStore } from "@trailbook/core/org"
import { TaskStore } from "@trailbook/core/task"
import { make } from "@trailbook/core/task/Task"
import * as Instant from "@trailbook/core/time/Instant"
import { makeStoryClock } from "@trailbook/demo/runStory"
import { accountsLayer, createOrg, type DatabaseUrl, storageLayer } from "@trailbook/runtime"
import { startServer } from "@trailbook/server"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { checkTasks } from "../../src/doctor/checkPendingWork.ts"
import { folder, request } from "../program.ts"

const minute = 60_000

it("doctor reports an email only once it is five minutes overdue", async () => {
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(folder(), "a.sqlite") }
  const server = await startServer({ database, port: 0, worker: "off" })
  onTestFinished(server.stop)
  const { token } = await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )
  const examined = (now: number) => {
    const later = Effect.withClock(checkTasks, makeStoryClock(Instant.make(now)))
    return Effect.runPromise(Effect.provide(later, storageLayer(database)))
  }
  expect(await examined(Date.now())).toMatchObject({ result: "no pending emails or refunds", fix: undefined })

  const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) })
  const { body: offering } = await request(
    `${server.baseUrl}/offerings`,
    token,
    post({ name: "Kayak", kind: "rental", capacity: 3 })
  )
  const { body: slots } = await request(`${server.baseUrl}/offerings/${String(offering.id)}/availability`, token)
  const before = Date.now()
  await request(
    `${server.baseUrl}/bookings`,
    token,
    post({
      offering_id: offering.id,
      starts_at: slots.data?.at(-1)?.starts_at,
      customer: { email: "guest@example.com", name: "Guest" }
    })
  )
  expect(await examined(before + 4 * minute)).toMatchObject({ result: "1 pending email or refund", fix: undefined })
  expect(await examined(Date.now() + 6 * minute)).toMatchObject({
    result: "1 pending email or refund, overdue by up to 6 minutes",
    fix: expect.stringContaining("trailbook worker")
  })
})

it("doctor reports tasks that failed permanently or keep failing", async () => {
  const database: DatabaseUrl = { _tag: "Sqlite", file: join(folder(), "a.sqlite") }
  await Effect.runPromise(
    Effect.provide(createOrg({ name: "Salida", timezone: "America/Denver" }), accountsLayer(database))
  )
  const now = Instant.make(Date.UTC(2027, 4, 1))
  const examined = (attempts: number, givenUpAt: Instant.Instant | null) =>
    Effect.gen(function*() {
      const taskStore = yield* TaskStore
      const [org] = yield* (yield* OrgStore).all
      const task = make({ id: `t${attempts}`, orgId: org?.id ?? "", kind: "refund", subjectId: "b", dueAt: now })
      yield* taskStore.add([{ ...task, attempts, lastError: "The card is gone.", givenUpAt }])
      return yield* checkTasks
    }).pipe(
      Effect.withClock(makeStoryClock(now)),
      Effect.provide(storageLayer(database)),
      Effect.runPromise
    )
  expect(await examined(29, now)).toMatchObject({
    result: "no pending emails or refunds; 1 failed permanently",
    fix: expect.stringContaining("trailbook tasks retry")
  })
  expect(await examined(12, null)).toMatchObject({
    result: "1 pending email or refund; 1 failed and will be retried: The card is gone.; 1 failed permanently",
    fix: expect.stringContaining("trailbook tasks retry")
  })
  expect(await examined(13, null)).toMatchObject({
    result: expect.stringMatching(/^2 pending .*; 1 has been failing for at least a day$/),
    fix: expect.stringContaining("trailbook tasks retry --all")
  })
})
