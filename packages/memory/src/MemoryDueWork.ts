import { PendingWork } from "@trailbook/core/storage/PendingWork"
import { lanes } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import { isFree, type Lease } from "./Lease.ts"
import { storeLayer } from "./MemoryDatabase.ts"
import { waits } from "./MemoryDeliveryQueue.ts"
import { isWaitedAt } from "./MemorySubscriptionStore.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(PendingWork, ({ read }) => ({
  look: ({ now, subscribers }) =>
    Effect.flatMap(currentTime, (at) => {
      const isThere = <Row extends Lease>(rows: Iterable<Row>, isWanted: (row: Row) => boolean = () => true) =>
        takeFirst(rows, 1, (row) => isFree(row, at) && isWanted(row)).length > 0
      const due = { below: { at: now + 1, id: "" } }
      return read((tables) => ({
        deliveries: isThere(
          Table.range(tables.endpoints, "id", everyOrg),
          (endpoint) => waits(tables, endpoint, at)
        ),
        lanes: lanes.filter((lane) => isThere(Table.range(tables.tasks, "due", lane, due))),
        proposals: isThere(Table.range(tables.proposals, "due", everyOrg, due)),
        subscriptions: subscribers.some((place) => isWaitedAt(tables, place, at)),
        turns: isThere(Table.range(tables.automations, "due", everyOrg, due))
      }))
    })
}))
