import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../Database.ts"

/**
 * @category layers
 */
export const layer = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ snapshot, transaction }) => UnitOfWork.of({ run: transaction, snapshot }))
)
