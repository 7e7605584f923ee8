import type { PendingWork } from "@trailbook/core/storage"
import { taskQueues } from "@trailbook/core/task/Task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Effect from "effect/Effect"
import type { Journal } from "../Journal.ts"
import { isFree } from "../Lease.ts"
import { inGroup } from "../State.ts"
import { waits } from "./deliveryQueue.ts"
import { isWaitedAt } from "./subscriptionStore.ts"

export const dueWork = ({ read }: Journal): PendingWork["Type"] => ({
  getSummary: ({ now, subscribers }) =>
    Effect.flatMap(currentTime, (at) =>
      read((state) => ({
        deliveries: inGroup(state.endpoints, "all").some((endpoint) =>
          isFree(endpoint, at) && waits(state, endpoint, at)
        ),
        taskQueues: taskQueues.filter((queue) =>
          inGroup(state.tasks, `due in ${queue}`).some((task) => task.dueAt <= now && isFree(task, at))
        ),
        proposals: inGroup(state.proposals, "due").some((row) => (row.runAt ?? Infinity) <= now && isFree(row, at)),
        subscriptions: subscribers.some((place) => isWaitedAt(state, place, at)),
        automations: inGroup(state.automations, "due").some((row) => (row.nextAt ?? Infinity) <= now && isFree(row, at))
      })))
})
