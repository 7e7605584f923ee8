import type { Event } from "@trailbook/client"
import { client } from "./client.ts"

/** Handles all events after the given one and returns the ID of the last event. Store that ID for the next call. */
export const follow = async (after: number, handle: (event: Event) => Promise<void>): Promise<number> => {
  let last = after
  for await (const event of client.events.all({ after })) {
    await handle(event)
    last = event.id
  }
  return last
}
