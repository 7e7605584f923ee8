import type { Event } from "@trailbook/client/operations"
import { TrailbookError } from "@trailbook/client/TrailbookError"
import { eventTypes } from "@trailbook/core/event/eventTypes"
import { setTimeout } from "node:timers/promises"
import type { Calls } from "./Calls.ts"
import type { EventsOptions } from "./Outfitter.ts"

/**
 * Events as they happen, a page at a time from the operation. A database that is
 * away for a moment is waited for: none is missed, for the cursor stands still.
 */
export async function* makeEventStream(
  list: Calls["events"]["list"],
  ended: AbortSignal,
  { after = 0, intervalMs = 1000, signal, type }: EventsOptions = {}
): AsyncGenerator<Event, undefined, undefined> {
  // It would be waited for without an end.
  if (type !== undefined && !eventTypes.includes(type)) {
    throw new TypeError(`type: must be one of ${eventTypes.join(", ")}`)
  }
  // A signal of its own for each iteration: Node warns of one that eleven wait for.
  const over = AbortSignal.any(signal === undefined ? [ended] : [ended, signal])
  let cursor = after
  while (!over.aborted) {
    const page = await list({ after: cursor, type, limit: pageSize }).catch(patient(over))
    for (const event of page?.data ?? []) {
      yield event
      if (over.aborted) return
    }
    cursor = page?.next_after ?? cursor
    if (page === undefined || page.data.length < pageSize) await pause(intervalMs, over)
  }
}

const pageSize = 100

const patient = (over: AbortSignal) => (error: unknown): undefined => {
  // Who closes it in the middle of a page is not told that it is closed.
  if (over.aborted || error instanceof TrailbookError && error.retryable) return undefined
  throw error
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal: over }).catch((error: unknown) => {
    if (!over.aborted) throw error
  })
