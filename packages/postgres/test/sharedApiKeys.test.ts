import { assert, it } from "@effect/vitest"
import type { ApiKey } from "@trailbook/core/actor/ApiKey"
import { ApiKeyStore } from "@trailbook/core/actor/ApiKeyStore"
import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"
import * as Instant from "@trailbook/core/time/Instant"
import * as sharedApiKeys from "@trailbook/postgres/sharedApiKeys"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const key = (id: string): ApiKey => ({
  id,
  orgId: "org",
  name: id,
  mode: "live",
  digest: "",
  last4: "",
  scopes: ["read"],
  createdAt: Instant.make(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null
})

/** A store whose queries return the rows that exist when the test completes them. */
const slow = Effect.gen(function*() {
  const begun: Array<{ readonly id: string; readonly end: Deferred.Deferred<void> }> = []
  const stored = new Map([["a", key("a")], ["b", key("b")]])
  const notUsed = () => Effect.dieMessage("Only find is used.")
  const store = ApiKeyStore.of({
    find: (id) =>
      Effect.gen(function*() {
        const found = Option.fromNullable(stored.get(id))
        const end = yield* Deferred.make<void>()
        begun.push({ id, end })
        yield* Deferred.await(end)
        return found
      }),
    list: notUsed,
    put: notUsed,
    touch: notUsed
  })
  const shared = yield* Effect.map(
    Layer.build(Layer.provide(sharedApiKeys.layer, Layer.succeed(ApiKeyStore, store))),
    Context.get(ApiKeyStore)
  )
  return { begun, shared, stored }
})

it.scoped("callers that arrive during a lookup of an API key share the next lookup, which sees a revocation made in the meantime", () =>
  Effect.gen(function*() {
    const { begun, shared, stored } = yield* slow
    const first = yield* Effect.fork(shared.find("a"))
    yield* yieldToEventLoop
    stored.delete("a")
    const later = yield* Effect.forEach([1, 2, 3], () => Effect.fork(shared.find("a")))
    yield* yieldToEventLoop
    assert.lengthOf(begun, 1)
    yield* Deferred.succeed(begun[0]!.end, undefined)
    assert.isTrue(Option.isSome(yield* Fiber.join(first)))
    yield* yieldToEventLoop
    assert.lengthOf(begun, 2)
    yield* Deferred.succeed(begun[1]!.end, undefined)
    for (const fiber of later) assert.isTrue(Option.isNone(yield* Fiber.join(fiber)))
    assert.lengthOf(begun, 2)
  }))

it.scoped("the lookup of an API key does not wait for the lookup of another key", () =>
  Effect.gen(function*() {
    const { begun, shared } = yield* slow
    yield* Effect.fork(shared.find("a"))
    yield* yieldToEventLoop
    const other = yield* Effect.fork(shared.find("b"))
    yield* yieldToEventLoop
    yield* Deferred.succeed(begun[1]!.end, undefined)
    assert.strictEqual(Option.getOrThrow(yield* Fiber.join(other)).id, "b")
    yield* Deferred.succeed(begun[0]!.end, undefined)
  }))
