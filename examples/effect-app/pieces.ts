import { coreLayer } from "@trailbook/core/layer"
import { Payments } from "@trailbook/core/payment"
import { layerNone } from "@trailbook/core/webhook"
import * as SqliteStorage from "@trailbook/sqlite"
import { batchOptions } from "@trailbook/sqlite/batchOptions"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"
import { NodeIds } from "trailbook/effect"

export const engine = coreLayer({ batches: batchOptions }).pipe(
  Layer.provideMerge(Layer.mergeAll(NodeIds.layer, Payments.layerNone, layerNone)),
  Layer.provideMerge(SqliteStorage.layerConfig({ filename: Config.string("BOOKINGS_FILE") }))
)
