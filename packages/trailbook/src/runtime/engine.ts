/**
 * @since 0.1.0
 */
import { Payments } from "@trailbook/core/booking/Payments"
import * as Operations from "@trailbook/core/operation/layer"
import type { Ids } from "@trailbook/core/port/Ids"
import { desk } from "@trailbook/sqlite/desk"
import * as Layer from "effect/Layer"

/**
 * The domain over a storage: every service and the registry. SQLite writes one
 * unit of work at a time, so the desk has one lane; what waits for it is sold
 * together, up to 64 at once. No payment provider is connected.
 *
 * @since 0.1.0
 * @category layers
 */
export const engine = (ids: Layer.Layer<Ids>) =>
  Operations.layer({ desk }).pipe(
    Layer.provideMerge(Layer.merge(ids, Payments.layerNone))
  )
