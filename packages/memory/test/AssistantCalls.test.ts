/** Tests that recording assistants' calls never delays or fails a call. */
import { makeHostActor } from "@trailbook/core/actor"
import { type AssistantCall, AssistantCalls, AssistantCallStore } from "@trailbook/core/assistant"
import { TenantScope } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe, it } from "vitest"

interface Batch {
  readonly calls: ReadonlyArray<AssistantCall>
  readonly orgs: ReadonlyArray<string> | undefined
}

const scopes = new Set(["read"] as const)
const application = (orgId: string) =>
  ({ _tag: "Application", orgId, grantId: "grant", personal: false, scopes }) as const
const key = { _tag: "Key", orgId: "river", keyId: "key", source: "mcp", scopes } as const
const call = { operation: "bookings.list", outcome: "done", bookingId: null }

/** Runs the test with a store that records the batches and can fail. */
const play = <A>(
  test: (calls: AssistantCalls["Type"], batches: ReadonlyArray<Batch>) => Effect.Effect<A>,
  add: Effect.Effect<void> = Effect.void
) => {
  const batches: Array<Batch> = []
  const forgotten: Array<Instant.Instant> = []
  const store = Layer.mock(AssistantCallStore, {
    add: (calls) =>
      Effect.flatMap(Effect.serviceOption(TenantScope), (orgs) => {
        batches.push({ calls, orgs: Option.getOrUndefined(orgs) })
        return add
      }),
    list: () => Effect.sync(() => batches.flatMap(({ calls }) => calls)),
    forget: (before) =>
      Effect.sync(() => {
        forgotten.push(before)
        return 0
      })
  })
  return Effect.runPromise(
    Effect.flatMap(AssistantCalls, (calls) => test(calls, batches)).pipe(
      Effect.provide(Layer.provide(AssistantCalls.layer, Layer.merge(store, TestIds.layer(1)))),
      Effect.provide(TestContext.TestContext)
    )
  ).then(() => ({ batches, forgotten }))
}

const query = { orgId: "river", after: undefined, limit: 10 }

describe("assistant activity", () => {
  it("is written in one batch after a second", async () => {
    await play(({ note }, batches) =>
      Effect.gen(function*() {
        yield* note(application("river"), call)
        yield* note(key, { ...call, outcome: "forbidden" })
        yield* note(application("fjord"), call)
        yield* TestClock.adjust("999 millis")
        assert.lengthOf(batches, 0)
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(
          batches.map(({ calls, orgs }) => [orgs, calls.map(({ callerId, outcome }) => `${callerId} ${outcome}`)]),
          [[["river", "fjord"], ["grant done", "key forbidden", "grant done"]]]
        )
        yield* note(key, call)
        yield* TestClock.adjust("1 second")
        assert.lengthOf(batches, 2)
      })
    )
  })

  it("excludes calls from the host application and the staff", async () => {
    const { batches } = await play(({ list, note }) =>
      Effect.gen(function*() {
        yield* note(makeHostActor({ orgId: "river", source: "mcp" }), call)
        yield* note({ _tag: "Staff", orgId: "river", staffId: "ann", scopes }, call)
        assert.deepStrictEqual(yield* list(query), [])
      })
    )
    assert.lengthOf(batches, 0)
  })

  it("is flushed before a read and at shutdown", async () => {
    const { batches } = await play(({ list, note }) =>
      Effect.gen(function*() {
        yield* note(key, call)
        assert.lengthOf(yield* list(query), 1)
        yield* note(key, call)
      })
    )
    assert.deepStrictEqual(batches.map(({ calls }) => calls.length), [1, 1])
  })

  it("buffers at most 10,000 calls while the database is slow", async () => {
    await play(({ note }, batches) =>
      Effect.gen(function*() {
        yield* note(key, call)
        yield* TestClock.adjust("1 second")
        for (let n = 0; n < 10_100; n++) yield* note(key, call)
        yield* TestClock.adjust("1 second")
        assert.lengthOf(batches, 1)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(batches.map(({ calls }) => calls.length), [1, 10_000])
        yield* TestClock.adjust("1 minute")
      }), Effect.sleep("1 minute"))
  })

  it("loses only the current batch if the database fails", async () => {
    const { batches } = await play(({ list, note }) =>
      Effect.gen(function*() {
        yield* note(key, call)
        yield* list(query)
        yield* note(key, call)
      }), Effect.die("The database is unavailable."))
    assert.lengthOf(batches, 2)
  })

  it("is kept for 90 days", async () => {
    const { forgotten } = await play(({ forget }) => Effect.zipRight(TestClock.adjust("100 days"), forget(1000)))
    assert.deepStrictEqual(forgotten, [Instant.make(10 * 24 * 60 * 60_000)])
  })
})
