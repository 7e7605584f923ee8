import { assert, it } from "@effect/vitest"
import { executeRequestsIndividually } from "@trailbook/core/booking/write/executeBatch"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly contended: boolean }> {}

const outage = Effect.die(new DatabaseUnavailable({ contended: false }))
const contention = Effect.die(new DatabaseUnavailable({ contended: true }))

/** Executes one request per letter. Each letter names the request's place. Returns the outcomes and the attempts. */
const runOrders = (orders: string, outcomes: Readonly<Record<string, Effect.Effect<string, string>>>) =>
  Effect.map(
    Effect.suspend(() => {
      attempts = ""
      return executeRequestsIndividually(Array.from(orders), (order) => [order], (order) => {
        attempts += order
        return outcomes[order] ?? Effect.succeed(order)
      })
    }),
    (answers) => [answers.map((exit) => Exit.isSuccess(exit) ? exit.value : "-").join(""), attempts]
  )
let attempts = ""

it.effect("fails only the order that is rejected or dies", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* runOrders("abcb", { b: Effect.die("poison") }), ["a-c-", "abcb"])
    assert.deepStrictEqual(yield* runOrders("abcb", { b: Effect.fail("full") }), ["a-c-", "abcb"])
  }))

it.effect("fails the remaining requests without calling the database during an outage", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* runOrders("abcdef", { b: outage }), ["a-----", "ab"])
  }))

it.effect("never returns another request's refusal during an outage", () =>
  Effect.gen(function*() {
    const refusedDuringOutage = Effect.ensuring(Effect.fail("full"), outage)
    const requests = ["a", "b", "c"]
    const exits = yield* executeRequestsIndividually(
      requests,
      (request) => [request],
      (request) => request === "a" ? refusedDuringOutage : Effect.succeed(request)
    )
    for (const exit of exits.slice(1)) {
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause) && !Cause.isFailure(exit.cause))
    }
  }))

it.effect("immediately fails requests for a locked place, and serves all other requests", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* runOrders("abbcba", { b: contention }), ["a--c-a", "abca"])
  }))
