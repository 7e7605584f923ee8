import { DueWork } from "@trailbook/core/storage/DueWork"
import { lanes } from "@trailbook/core/task/Task"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { firstOf } from "./firstOf.ts"
import { isFree, type Lease } from "./Lease.ts"
import { over } from "./MemoryDatabase.ts"
import { waits } from "./MemoryDeliveryQueue.ts"
import { isWaitedAt } from "./MemorySubscriptionStore.ts"
import * as Table from "./Table.ts"
import { everyOrg } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(DueWork, ({ read }) => ({
  look: ({ now, subscribers }) =>
    Effect.flatMap(moment, (at) => {
      const isThere = <Row extends Lease>(rows: Iterable<Row>, isWanted: (row: Row) => boolean = () => true) =>
        firstOf(rows, 1, (row) => isFree(row, at) && isWanted(row)).length > 0
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
