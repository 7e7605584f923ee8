import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { layerOf } from "../layerOf.ts"

/**
 * @category layers
 */
export const layer = layerOf(UnitOfWork, ({ snapshot, transaction }) => ({ run: transaction, snapshot }))
