/** Storage adapters that break the law about pending work. They miss due work or report work that cannot be claimed. */
import { PendingWork, type PendingWorkSummary, type Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { breakPort } from "./brokenStorage.ts"
import { minus } from "./offByOne.ts"

const seeing = (change: (due: PendingWorkSummary) => PendingWorkSummary) =>
  breakPort(PendingWork, ({ getSummary }) => ({ getSummary: (query) => Effect.map(getSummary(query), change) }))

/** Keeps returning the first summary of pending work that it has read. */
const stale = breakPort(PendingWork, ({ getSummary }) => {
  let firstSummary: PendingWorkSummary | undefined
  return { getSummary: (query) => Effect.map(getSummary(query), (due) => firstSummary ??= due) }
})

export const dueControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "due/look",
    "misses work that is due at the current instant",
    breakPort(
      PendingWork,
      ({ getSummary }) => ({ getSummary: (query) => getSummary({ ...query, now: minus(query.now) }) })
    )
  ],
  [
    "due/look",
    "reports work that is due one millisecond later",
    breakPort(
      PendingWork,
      ({ getSummary }) => ({ getSummary: (query) => getSummary({ ...query, now: Instant.make(query.now + 1) }) })
    )
  ],
  [
    "due/look",
    "ignores subscribers",
    breakPort(PendingWork, ({ getSummary }) => ({ getSummary: (query) => getSummary({ ...query, subscribers: [] }) }))
  ],
  ["due/look", "misses deliveries", seeing((due) => ({ ...due, deliveries: false }))],
  [
    "due/look",
    "misses one queue of tasks",
    seeing((due) => ({ ...due, taskQueues: due.taskQueues.filter((queue) => queue !== "own") }))
  ],
  ["due/look", "misses the turns of automations", seeing((due) => ({ ...due, automations: false }))],
  ["due/taken", "repeats its first result forever", stale]
]
