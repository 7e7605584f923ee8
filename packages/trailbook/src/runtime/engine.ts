/**
 * @since 0.1.0
 */
import type { DeskOptions } from "@trailbook/core/booking/BookingDesk"
import { Payments } from "@trailbook/core/booking/Payments"
import * as Operations from "@trailbook/core/operation/layer"
import type { Ids } from "@trailbook/core/port/Ids"
import * as Layer from "effect/Layer"

/**
 * The domain over a storage: every service and the registry. No payment provider
 * is connected.
 *
 * @since 0.1.0
 * @category layers
 */
export const engine = (ids: Layer.Layer<Ids>, desk: DeskOptions | "direct") =>
  Operations.layer({ desk }).pipe(
    Layer.provideMerge(Layer.merge(ids, Payments.layerNone))
  )
