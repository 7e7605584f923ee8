/**
 * A way out to webhook receivers that sends nothing: it keeps what it was given
 * and answers as it was told to.
 *
 * It promises that
 * - it has every delivery that was begun, in the order of beginning, whatever
 *   became of it;
 * - an address answers what it was told last, and 200 before it was told
 *   anything;
 * - a delivery that was interrupted is counted out of `most`, the most that one
 *   address ever had at a time.
 */
import { type Answer, type Delivery, WebhookSender } from "@trailbook/core/webhook/WebhookSender"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeWebhookSender extends Context.Tag("@trailbook/testkit/FakeWebhookSender")<
  FakeWebhookSender,
  {
    /** What was sent, oldest first. */
    readonly got: Effect.Effect<ReadonlyArray<Delivery>>
    /** The most deliveries that one address had at a time. */
    readonly most: Effect.Effect<number>
    /** From now on an address answers so; the effect may wait, and look at what it got. */
    readonly answer: (url: string, by: (delivery: Delivery) => Effect.Effect<Answer>) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeWebhookSender | WebhookSender> = Layer.effectContext(
    Effect.sync(() => {
      const got: Array<Delivery> = []
      const answers = new Map<string, (delivery: Delivery) => Effect.Effect<Answer>>()
      const underWay = new Map<string, number>()
      let most = 0
      const count = (url: string, by: number) =>
        Effect.sync(() => {
          const now = (underWay.get(url) ?? 0) + by
          underWay.set(url, now)
          most = Math.max(most, now)
        })
      const receivers = FakeWebhookSender.of({
        got: Effect.sync(() => [...got]),
        most: Effect.sync(() => most),
        answer: (url, by) => Effect.sync(() => void answers.set(url, by))
      })
      const sender = WebhookSender.of({
        send: (delivery) =>
          Effect.acquireUseRelease(
            Effect.zipRight(Effect.sync(() => got.push(delivery)), count(delivery.url, 1)),
            () => answers.get(delivery.url)?.(delivery) ?? answered(200),
            () => count(delivery.url, -1)
          ),
        objection: (url) => Effect.succeed(url.startsWith("https://") ? undefined : "must be an https address")
      })
      return Context.make(FakeWebhookSender, receivers).pipe(Context.add(WebhookSender, sender))
    })
  )
}

const answered = (status: number): Effect.Effect<Answer> => Effect.succeed({ _tag: "Answered", status })
