import type { Event } from "@trailbook/client/operations"
import { TrailbookError } from "@trailbook/client/TrailbookError"
import { eventTypes } from "@trailbook/core/event"
import { setTimeout } from "node:timers/promises"
import type { Calls } from "./Calls.ts"
import type { EventsOptions } from "./Outfitter.ts"

/**
 * Streams events by polling `events.list`. While the database is unavailable, the cursor does not advance, so no event
 * is lost.
 */
export async function* makeEventStream(
  list: Calls["events"]["list"],
  endSignal: AbortSignal,
  { after = 0, intervalMs = 1000, signal, type }: EventsOptions = {}
): AsyncGenerator<Event, undefined, undefined> {
  // Reject an unknown type, because the iteration would never yield an event.
  if (type !== undefined && !eventTypes.includes(type)) {
    throw new TypeError(`type: must be one of ${eventTypes.join(", ")}`)
  }
  // Give each iteration its own signal, because Node warns about more than 10 listeners on one signal.
  const over = AbortSignal.any(signal === undefined ? [endSignal] : [endSignal, signal])
  let cursor = after
  while (!over.aborted) {
    const page = await list({ after: cursor, type, limit: pageSize }).catch(ignoreAfterEnd(over))
    for (const event of page?.data ?? []) {
      yield event
      if (over.aborted) return
    }
    cursor = page?.next_after ?? cursor
    if (page === undefined || page.data.length < pageSize) await pause(intervalMs, over)
  }
}

const pageSize = 100

const ignoreAfterEnd = (over: AbortSignal) => (error: unknown): undefined => {
  // Ignore errors after the iteration has ended, because the closed database can cause them.
  if (over.aborted || error instanceof TrailbookError && error.retryable) return undefined
  throw error
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal: over }).catch((error: unknown) => {
    if (!over.aborted) throw error
  })
