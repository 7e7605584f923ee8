import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { storeLayer } from "../storeLayer.ts"

export const layer = storeLayer(UnitOfWork, ({ snapshot, transaction }) => ({ run: transaction, snapshot }))
