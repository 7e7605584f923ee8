/** Delivers in this process to receivers that are plain functions. */
import { coreLayer } from "@trailbook/core/layer"
import { Payments } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import { Deliveries, type Delivery, type SendResult, WebhookSender } from "@trailbook/core/webhook"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import * as KeyRing from "@trailbook/webhook/KeyRing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Receives a delivery and returns the response. */
export type Receive = (delivery: Delivery) => SendResult

/** Provides the services and operations for a storage. */
export const domain = <R, E>(storage: Layer.Layer<Storage | R, E>, receive: Receive) =>
  Deliveries.layer.pipe(
    Layer.provideMerge(coreLayer({ batches: "none" })),
    Layer.provideMerge(Layer.mergeAll(
      storage,
      NodeIds.layer,
      Payments.layerNone,
      KeyRing.layer([{ id: "k1", key: new Uint8Array(32) }]),
      Layer.succeed(WebhookSender, {
        send: (delivery) => Effect.sync(() => receive(delivery)),
        findUrlProblem: () => Effect.succeed(undefined)
      })
    ))
  )

/** Delivers until no delivery is pending. */
export const drainDeliveries: Effect.Effect<void, never, Deliveries> = Effect.gen(function*() {
  const { claim, run } = yield* Deliveries
  for (;;) {
    const claimedTask = yield* claim({ exceptOrgs: [], exceptStoppedOf: [] })
    if (Option.isNone(claimedTask)) return
    yield* run(claimedTask.value, Effect.succeed(false))
  }
})
