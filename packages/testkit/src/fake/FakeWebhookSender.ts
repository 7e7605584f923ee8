/**
 * A webhook sender that records deliveries instead of sending them, and returns configured responses.
 *
 * Guarantees:
 * - It records every started delivery in order, regardless of its outcome.
 * - A URL returns its configured response, or 200 by default.
 * - An interrupted delivery no longer counts toward `most`, the maximum number of concurrent deliveries to one URL.
 */
import { type Delivery, type SendResult, WebhookSender } from "@trailbook/core/webhook"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeWebhookSender extends Context.Tag("@trailbook/testkit/FakeWebhookSender")<
  FakeWebhookSender,
  {
    /** All deliveries, oldest first. */
    readonly got: Effect.Effect<ReadonlyArray<Delivery>>
    /** The maximum number of concurrent deliveries to one URL. */
    readonly most: Effect.Effect<number>
    /** Sets the response for a URL. The effect can wait, and can depend on the delivery. */
    readonly answer: (url: string, by: (delivery: Delivery) => Effect.Effect<SendResult>) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeWebhookSender | WebhookSender> = Layer.effectContext(
    Effect.sync(() => {
      const deliveries: Array<Delivery> = []
      const answers = new Map<string, (delivery: Delivery) => Effect.Effect<SendResult>>()
      const underWay = new Map<string, number>()
      let most = 0
      const count = (url: string, by: number) =>
        Effect.sync(() => {
          const now = (underWay.get(url) ?? 0) + by
          underWay.set(url, now)
          most = Math.max(most, now)
        })
      const receivers = FakeWebhookSender.of({
        got: Effect.sync(() => [...deliveries]),
        most: Effect.sync(() => most),
        answer: (url, by) => Effect.sync(() => void answers.set(url, by))
      })
      const sender = WebhookSender.of({
        send: (delivery) =>
          Effect.acquireUseRelease(
            Effect.zipRight(Effect.sync(() => deliveries.push(delivery)), count(delivery.url, 1)),
            () => answers.get(delivery.url)?.(delivery) ?? answer(200),
            () => count(delivery.url, -1)
          ),
        findUrlProblem: (url) => Effect.succeed(url.startsWith("https://") ? undefined : "must be an https URL")
      })
      return Context.make(FakeWebhookSender, receivers).pipe(Context.add(WebhookSender, sender))
    })
  )
}

const answer = (status: number): Effect.Effect<SendResult> => Effect.succeed({ _tag: "Answered", status })
