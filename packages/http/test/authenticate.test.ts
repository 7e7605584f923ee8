import { assert, describe, it } from "@effect/vitest"
import { type Refusal, refuse } from "@trailbook/core"
import { makeHostActor } from "@trailbook/core/actor"
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as RateLimit from "../src/limit/RateLimit.ts"
import { type Credential, makeAuthentication, toAuthenticatedCaller } from "../src/request/authentication.ts"
import * as RequestContext from "../src/request/RequestContext.ts"
import * as Reply from "../src/response/Reply.ts"

const credential: Credential = { id: "k", actor: makeHostActor({ orgId: "org" }) }
const caller = toAuthenticatedCaller(credential)
const changedCaller = toAuthenticatedCaller({ id: "k", actor: makeHostActor({ orgId: "org", scopes: ["read"] }) })

/**
 * Starts a read for a request whose credential was valid when last checked. The test completes the check and the read.
 */
const startRead = (tokens = 10) =>
  Effect.gen(function*() {
    const checked = yield* Deferred.make<Credential, Refusal<"unauthorized">>()
    const response = yield* Deferred.make<Reply.Reply>()
    const { admitRead } = makeAuthentication(
      () => Deferred.await(checked),
      (candidate) => candidate === changedCaller ? changedCaller : caller,
      RateLimit.make({ perSecond: 1, burst: tokens, failuresPerMinute: 0 }),
      Clock.make(),
      () => credential
    )
    const log = { started: new Array<unknown>(), interrupted: 0 }
    const exchange = RequestContext.make(new Request("http://a/"), {})
    const runRead = (acting: unknown) =>
      Effect.suspend(() => {
        log.started.push(acting)
        return Effect.onInterrupt(Deferred.await(response), () => Effect.sync(() => void log.interrupted++))
      })
    const ask = Effect.fork(Effect.suspend(() => admitRead(exchange, runRead)))
    return { response, ask, checked, exchange, log }
  })

const reply = Reply.json(200, { secret: true })
const unauthorized = Exit.fail(refuse("unauthorized"))

describe("a read with a recently verified credential", () => {
  it.effect("starts before reverification, but responds only afterward", () =>
    Effect.gen(function*() {
      const { response, ask, checked, exchange, log } = yield* startRead()
      const fiber = yield* ask
      yield* yieldToEventLoop
      assert.deepStrictEqual(log.started, [caller])
      yield* Deferred.succeed(response, reply)
      yield* yieldToEventLoop
      assert.isNull(fiber.unsafePoll())
      assert.isUndefined(exchange.orgId)
      yield* Deferred.succeed(checked, credential)
      assert.strictEqual(yield* Fiber.join(fiber), reply)
      assert.strictEqual(exchange.orgId, "org")
      assert.lengthOf(log.started, 1)
    }))

  it.effect("is interrupted if the credential is refused", () =>
    Effect.gen(function*() {
      const early = yield* startRead()
      const fiber = yield* early.ask
      yield* yieldToEventLoop
      yield* Deferred.done(early.checked, unauthorized)
      assert.deepStrictEqual(yield* Fiber.await(fiber), unauthorized)
      assert.strictEqual(early.log.interrupted, 1)
      assert.isUndefined(early.exchange.bucket)

      const late = yield* startRead()
      let stopCount = 0
      const lateFiber = yield* late.ask
      const body = { next: () => Promise.resolve(undefined), stop: () => void stopCount++ }
      yield* Deferred.succeed(late.response, { status: 200, body })
      yield* yieldToEventLoop
      yield* Deferred.done(late.checked, unauthorized)
      assert.deepStrictEqual(yield* Fiber.await(lateFiber), unauthorized)
      assert.strictEqual(stopCount, 1)
    }))

  it.effect("runs again if the credential has changed", () =>
    Effect.gen(function*() {
      const { response, ask, checked, log } = yield* startRead()
      const fiber = yield* ask
      yield* yieldToEventLoop
      yield* Deferred.succeed(checked, changedCaller)
      yield* Deferred.succeed(response, reply)
      assert.strictEqual(yield* Fiber.join(fiber), reply)
      assert.deepStrictEqual(log.started, [caller, changedCaller])
    }))

  it.effect("does not start above the rate limit", () =>
    Effect.gen(function*() {
      for (const end of [Exit.succeed(credential), unauthorized]) {
        const { response, ask, checked, log } = yield* startRead(1)
        yield* Deferred.succeed(response, reply)
        const first = yield* ask
        const second = yield* ask
        yield* yieldToEventLoop
        assert.lengthOf(log.started, 1)
        yield* Deferred.done(checked, end)
        yield* Fiber.await(first)
        const exit = yield* Effect.flip(Fiber.join(second))
        assert.strictEqual(exit.code, Exit.isSuccess(end) ? "rate_limited" : "unauthorized")
      }
    }))
})
