import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { storeLayer } from "../storeLayer.ts"

/**
 * @category layers
 */
export const layer = storeLayer(UnitOfWork, ({ snapshot, transaction }) => ({ run: transaction, snapshot }))
