import { parallel, sequential } from "@trailbook/core/concurrency/queryAll"
import { UnitOfWork } from "@trailbook/core/port/UnitOfWork"
import { storeLayer } from "../storeLayer.ts"

export const layer = storeLayer(UnitOfWork, ({ assertCanWait, dialect, snapshot, transaction }) => ({
  run: transaction,
  snapshot,
  queryAll: dialect.apart ? parallel : sequential,
  assertCanWait
}))
