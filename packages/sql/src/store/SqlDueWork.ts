import { PendingWork, type PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import { type Lane, lanes } from "@trailbook/core/task/Task"
import * as Effect from "effect/Effect"
import { isFree } from "../lease.ts"
import { storeLayer } from "../storeLayer.ts"
import { isServed } from "./deliveryBacklog.ts"
import { isDueTurn } from "./SqlAutomationStore.ts"
import { waitingEndpoints } from "./SqlDeliveryQueue.ts"
import { isDueProposal } from "./SqlProposalStore.ts"
import { waitingPlaces } from "./SqlSubscriptionStore.ts"
import { isDueTask } from "./SqlTaskStore.ts"

type Row = { readonly [Part in Lane | Exclude<keyof PendingWorkSummary, "lanes">]: boolean | 0 | 1 }

/**
 * Runs one statement outside a transaction. Each part is the query that a claim starts with, and reads only the end of
 * an index if no work is pending. A stale delivery mark counts as pending work: the worker that claims it clears the
 * mark.
 */
export const layer = storeLayer(PendingWork, ({ dialect, query }) => {
  const { table } = dialect
  const parts = {
    deliveries: `select 1 from (${waitingEndpoints(dialect)}) waiting
      join ${table("webhooks")} w on w.org_id = waiting.org_id and w.id = waiting.id
      where ${isFree(dialect, "w")}
      union all select 1 from ${table("event_counters")} counter where ${isServed(dialect)}`,
    proposals: `select 1 from ${table("proposals")} p where ${isDueProposal(dialect, "$1")}`,
    subscriptions: waitingPlaces(dialect, "$2"),
    turns: `select 1 from ${table("automations")} a where ${isDueTurn(dialect, "$1")}`
  }
  const inLanes = lanes.map((lane) =>
    [lane, `select 1 from ${table("tasks")} t where ${isDueTask(dialect, `'${lane}'`, "$1")}`] as const
  )
  const answers = [...Object.entries(parts), ...inLanes].map(([part, some]) => `exists (${some}) as ${part}`)
  const look = `select ${answers.join(", ")}`

  return {
    look: ({ now, subscribers }) =>
      Effect.map(
        query<Row>(look, [now, JSON.stringify(subscribers.map(({ name, orgId }) => ({ org_id: orgId, name })))]),
        ([row]) => ({
          deliveries: Boolean(row?.deliveries),
          proposals: Boolean(row?.proposals),
          subscriptions: Boolean(row?.subscriptions),
          turns: Boolean(row?.turns),
          lanes: lanes.filter((lane) => Boolean(row?.[lane]))
        })
      )
  }
})
