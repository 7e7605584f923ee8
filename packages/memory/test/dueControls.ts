/** For the law of pending work, storages that miss due work or report work that cannot be claimed. */
import { PendingWork, type PendingWorkSummary } from "@trailbook/core/storage/PendingWork"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { broken } from "./broken.ts"
import { minus } from "./offByOne.ts"

const seeing = (change: (due: PendingWorkSummary) => PendingWorkSummary) =>
  broken(PendingWork, ({ look }) => ({ look: (given) => Effect.map(look(given), change) }))

/** Caches its first result. */
const stale = broken(PendingWork, ({ look }) => {
  let seen: PendingWorkSummary | undefined
  return { look: (given) => Effect.map(look(given), (due) => seen ??= due) }
})

export const dueControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "due/look",
    "what is due now is not seen",
    broken(PendingWork, ({ look }) => ({ look: (given) => look({ ...given, now: minus(given.now) }) }))
  ],
  [
    "due/look",
    "what is due a millisecond later is seen",
    broken(PendingWork, ({ look }) => ({ look: (given) => look({ ...given, now: Instant.make(given.now + 1) }) }))
  ],
  [
    "due/look",
    "subscribers are not asked for",
    broken(PendingWork, ({ look }) => ({ look: (given) => look({ ...given, subscribers: [] }) }))
  ],
  ["due/look", "deliveries are not seen", seeing((due) => ({ ...due, deliveries: false }))],
  ["due/look", "a lane is not seen", seeing((due) => ({ ...due, lanes: due.lanes.filter((lane) => lane !== "own") }))],
  ["due/look", "the turns of automations are not seen", seeing((due) => ({ ...due, turns: false }))],
  ["due/taken", "what was seen once is seen for ever", stale]
]
