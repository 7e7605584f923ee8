/** A client that follows an outfitter's feed with a random limit and event type for each request. */
import type { Actor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Dice } from "../reliability/dice.ts"

/** A request and its response. */
export interface Page {
  readonly after: number
  readonly type: string | undefined
  readonly limit: number
  readonly ids: ReadonlyArray<number>
  readonly nextAfter: number
  /** The server's clock before and after the request. */
  readonly requestedAt: number
  readonly respondedAt: number
}

const types = ["booking.held", "booking.confirmed", "customer.updated", "session.created", "org.updated"]

/** Reads until the cursor reaches the event that `end` returns. `end` returns undefined while writers are active. */
export const readFeed = (
  dice: Dice,
  pages: Array<Page>,
  end: () => number | undefined
): Effect.Effect<void, unknown, Actor | Registry> =>
  Effect.gen(function*() {
    const registry = yield* Registry
    let after = 0
    while (after < (end() ?? Infinity)) {
      const type = dice.percent(50) ? undefined : dice.pick(types)
      const limit = dice.percent(30) ? dice.between(1, 3) : dice.between(4, 200)
      const requestedAt = yield* Clock.currentTimeMillis
      const answer = yield* registry.run("events.list", { after, limit, ...(type === undefined ? {} : { type }) })
      const { data, next_after } = answer as {
        readonly data: ReadonlyArray<{ id: number }>
        readonly next_after: number
      }
      const respondedAt = yield* Clock.currentTimeMillis
      pages.push({ after, type, limit, ids: data.map(({ id }) => id), nextAfter: next_after, requestedAt, respondedAt })
      if (next_after === after) yield* Effect.sleep(dice.between(20, 80))
      after = next_after
    }
  })
