import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "./Database.ts"

/** Makes the layer of a port from a function of the database. */
export const storeLayer = <Port, A>(
  port: Context.Tag<Port, A>,
  make: (database: Database["Type"]) => NoInfer<A>
): Layer.Layer<Port, never, Database> => Layer.effect(port, Effect.map(Database, make))
