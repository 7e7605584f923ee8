import { Payments } from "@trailbook/core/booking/Payments"
import * as Operations from "@trailbook/core/operation/layer"
import { withoutWebhooks } from "@trailbook/core/webhook/withoutWebhooks"
import * as SqliteStorage from "@trailbook/sqlite"
import { desk } from "@trailbook/sqlite/desk"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import { NodeIds } from "trailbook/effect"

export const engine = Operations.layer({ desk }).pipe(
  Layer.provideMerge(Layer.mergeAll(NodeIds.layer, Payments.layerNone, withoutWebhooks)),
  Layer.provideMerge(SqliteStorage.layerConfig({ filename: Config.string("BOOKINGS_FILE") }))
)
