/** Tests constraints of the memory adapter that the contract does not cover. */
import { it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import * as Instant from "@trailbook/core/time/Instant"
import * as Memory from "@trailbook/memory"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { assert, describe } from "vitest"

const put = Effect.flatMap(
  OrgStore,
  ({ put }) => put(Org.make({ id: "org", name: "Town", slug: "town", timezone: "UTC", createdAt: Instant.min }))
)

const dies = (exit: Exit.Exit<unknown, unknown>, message: RegExp): void =>
  assert.match(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it succeeded", message)

describe("MemoryDatabase", () => {
  it.effect("rejects writes within a snapshot, even from a transaction inside the snapshot", () =>
    Effect.gen(function*() {
      const { run, snapshot } = yield* UnitOfWork
      dies(yield* Effect.exit(snapshot(put)), /in a read-only snapshot/)
      dies(yield* Effect.exit(snapshot(run(put))), /in a read-only snapshot/)
    }).pipe(Effect.provide(Memory.layer)))

  it.effect("rejects writes from a fiber that outlives its transaction", () =>
    Effect.gen(function*() {
      const { run } = yield* UnitOfWork
      const over = yield* Deferred.make<void>()
      const lateFiber = yield* run(Effect.forkDaemon(Effect.zipRight(Deferred.await(over), put)))
      yield* Deferred.succeed(over, undefined)
      dies(yield* Fiber.await(lateFiber), /transaction has ended/)
      assert.isEmpty(yield* Effect.flatMap(OrgStore, ({ all }) => all))
    }).pipe(Effect.provide(Memory.layer)))

  it.effect("keeps two databases independent, even within a transaction on one of them", () =>
    Effect.gen(function*() {
      const all = Effect.flatMap(OrgStore, ({ all }) => all)
      const rows = yield* Effect.provide(
        Effect.flatMap(
          UnitOfWork,
          ({ run }) => run(Effect.zipRight(put, Effect.provide(all, Layer.fresh(Memory.layer))))
        ),
        Memory.layer
      )
      assert.isEmpty(rows)
    }))
})
