/**
 * Tests that the chunk size affects neither a scenario's responses nor its final state, and that no transaction changes
 * more than one chunk of rows.
 */
import { BookingStore } from "@trailbook/core/booking"
import { ResumableJobStore } from "@trailbook/core/job"
import { ChunkSize } from "@trailbook/core/job/defineJob"
import { EventLog } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import { type Script, script, type Step } from "@trailbook/testkit/generator/script"
import * as ScriptRunner from "@trailbook/testkit/law/ScriptRunner"
import { listUnclaimedTasks } from "@trailbook/testkit/law/task/tasks"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { runs } from "../../../test/runs.ts"

const orgId = "00000000-0000-7000-8000-00000000000a"

/** The memory adapter. Records how many bookings each update changes, and which jobs were started. */
const watchedStorage = (updates: Array<number>, subjects: Set<string>): Layer.Layer<Storage> =>
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.effect(
        BookingStore,
        Effect.map(BookingStore, (store) => ({
          ...store,
          update: (rows) => Effect.zipRight(Effect.sync(() => updates.push(rows.length)), store.update(rows))
        }))
      ),
      Layer.effect(
        ResumableJobStore,
        Effect.map(ResumableJobStore, (store) => ({
          ...store,
          put: (row) => Effect.zipRight(Effect.sync(() => subjects.add(row.subject)), store.put(row))
        }))
      )
    ),
    Memory.layer
  )

interface Outcome {
  readonly answers: ReadonlyArray<unknown>
  readonly bookings: ReadonlyArray<unknown>
  readonly events: ReadonlyArray<string>
  readonly tasks: ReadonlyArray<unknown>
}

/** Runs a scenario with the given chunk size. Returns its responses and the final state. */
const playStory = (
  story: Script,
  seed: number,
  size: number,
  updates: Array<number>,
  subjects: Set<string>
): Promise<Outcome> =>
  Effect.gen(function*() {
    const stage = yield* ScriptRunner.open({ orgId, script: story, seed, batches: "none" })
    const answers: Array<unknown> = []
    for (const step of [...firstSteps, ...story.steps, ...lastSteps]) {
      const stepAnswers = yield* stage.play(step)
      // Only the event order within one cancellation depends on the chunk size.
      if (step._tag !== "Call" || !["events.list", "org.export"].includes(step.name)) answers.push(stepAnswers)
    }
    const everything = { limit: 10_000, after: undefined, from: undefined, to: undefined, order: "asc" as const }
    const of = { status: undefined, offeringId: undefined, customerId: undefined, sessionId: undefined }
    const bookings = yield* (yield* BookingStore).list({ ...everything, ...of, orgId })
    const log = yield* (yield* EventLog).latest(orgId, 10_000)
    assert.deepStrictEqual(yield* (yield* ResumableJobStore).untouchedSince(Instant.max, 1), [])
    return {
      answers,
      bookings,
      events: log.map(({ createdAt, person, data, type }) => JSON.stringify([type, createdAt, person, data]))
        .sort(),
      tasks: (yield* Effect.map(listUnclaimedTasks, (tasks) =>
        tasks.map(({ dueAt, kind, subjectId }) => `${kind} ${subjectId} ${dueAt}`))).sort()
    }
  }).pipe(
    Effect.scoped,
    Effect.provideService(ChunkSize, size),
    Effect.provide(Layer.fresh(watchedStorage(updates, subjects))),
    Effect.runPromise
  )

/** Two sessions with more guests than fit in one chunk, unless the scenario removes them. */
const firstSteps: ReadonlyArray<Step> = [
  { _tag: "Call", name: "offerings.create", input: { name: "Raft race", kind: "class", capacity: 20 }, pick: {} },
  ...[200, 300].map((hoursFromNow): Step => ({
    _tag: "Call",
    name: "sessions.create",
    input: { starts_at: { hoursFromNow } },
    pick: { offering_id: ["class", 0] }
  })),
  ...["ada", "bo", "cy", "di"].flatMap((guest) =>
    [0, 1].map((slot): Step => ({
      _tag: "Book",
      offering: 0,
      slot,
      input: { customer: { email: `${guest}@example.com` } }
    }))
  )
]

/** Gives every scenario a session to cancel, a guest to erase, and an offering to delete. */
const lastSteps: ReadonlyArray<Step> = [
  { _tag: "Call", name: "sessions.cancel", input: {}, pick: { id: ["session", 0] } },
  { _tag: "Call", name: "customers.delete", input: {}, pick: { id: ["customer", 0] } },
  { _tag: "Call", name: "offerings.delete", input: {}, pick: { id: ["offering", 1] } },
  { _tag: "Call", name: "offerings.delete", input: { cancel_bookings: true }, pick: { id: ["offering", 1] } },
  { _tag: "Call", name: "offerings.delete", input: { cancel_bookings: true }, pick: { id: ["offering", 0] } }
]

it("processing in chunks reaches the same state as processing in large transactions", async () => {
  const subjects = new Set<string>()
  await FastCheck.assert(
    FastCheck.asyncProperty(
      script(40),
      FastCheck.nat(),
      FastCheck.integer({ min: 1, max: 3 }),
      async (story, seed, size) => {
        const updates: Array<number> = []
        const inParts = await playStory(story, seed, size, updates, subjects)
        assert.isAtMost(Math.max(0, ...updates), size, "A write changed more rows than a chunk allows.")
        assert.deepStrictEqual(inParts, await playStory(story, seed, 1000, [], new Set()))
      }
    ),
    { numRuns: runs(40, 5), endOnFailure: true }
  )
  assert.deepStrictEqual([...subjects].sort(), ["customer", "offering", "session"])
})
