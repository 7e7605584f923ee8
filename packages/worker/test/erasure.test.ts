/** Tests that erased data is not sent, even if events and messages that contain it are still queued. */
import { it } from "@effect/vitest"
import { ConversationWriter } from "@trailbook/core/conversation/ConversationWriter"
import { Customers } from "@trailbook/core/customer/Customers"
import { CustomerErasure } from "@trailbook/core/customer/erasure/CustomerErasure"
import { type Subscriber, Subscriptions } from "@trailbook/core/event"
import { FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, describe } from "vitest"
import { pass } from "./settled.ts"
import { endpoint, notEnding, org, orgId, runAll, setAnswer, status, world } from "./world.ts"

const canary = "canary"

const here = Layer.merge(Customers.layer, Layer.provide(CustomerErasure.layer, ConversationWriter.layer)).pipe(
  Layer.provideMerge(world)
)

/** Creates a guest with the given number of changes. Every event contains the guest's name. */
const guest = (changes: number) =>
  Effect.gen(function*() {
    const customers = yield* Customers
    for (let change = 0; change < changes; change++) {
      yield* customers.upsert(orgId(1), "ann@a.co", { name: `${canary} ${change}` })
    }
    return yield* customers.upsert(orgId(1), "ann@a.co", {})
  })

const erased = (id: string) =>
  Effect.flatMap(CustomerErasure, ({ erase }) => Effect.orDie(erase({ orgId: orgId(1), id })))

describe("a guest who is erased during delivery", () => {
  it.effect("appears in no later webhook request", () =>
    Effect.gen(function*() {
      yield* org()
      yield* endpoint("a")
      const { id } = yield* guest(5)
      const erasures = yield* Effect.context<CustomerErasure>()
      yield* setAnswer("a", Effect.as(Effect.provide(erased(id), erasures), status(200)))
      assert.strictEqual(yield* runAll, 6)
      const bodies = (yield* (yield* FakeWebhookSender).got).map(({ body }) => body)
      assert.deepStrictEqual(bodies.map((body) => body.includes(canary)), [true, false, false, false, false, false])
    }).pipe(Effect.provide(here)))

  it.effect("appears in no later subscriber event", () =>
    Effect.gen(function*() {
      yield* org()
      const { id } = yield* guest(5)
      const erasures = yield* Effect.context<CustomerErasure>()
      const containsName: Array<boolean> = []
      const subscriber: Subscriber = {
        orgId: orgId(1),
        name: "crm",
        type: "*",
        from: "start",
        isCanceled: notEnding,
        tell: ({ data }) =>
          Effect.suspend(() => {
            containsName.push(JSON.stringify(data).includes(canary))
            return Effect.provide(erased(id), erasures)
          })
      }
      yield* pass("2 seconds")
      const { claim, run } = yield* Subscriptions
      const [lease] = yield* claim([subscriber])
      assert.isDefined(lease)
      yield* run(lease, notEnding)
      yield* pass("2 seconds")
      const [rest] = yield* claim([subscriber])
      if (rest !== undefined) yield* run(rest, notEnding)
      assert.deepStrictEqual(containsName, [true, false, false, false, false, false])
    }).pipe(Effect.provide(here)))
})
