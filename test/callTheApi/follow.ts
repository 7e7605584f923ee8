import type { Event } from "@trailbook/client"
import { client } from "./client.ts"

/** Handles everything after an event, and says which one was the last: keep that number for the next time. */
export const follow = async (after: number, handle: (event: Event) => Promise<void>): Promise<number> => {
  let last = after
  for await (const event of client.events.all({ after })) {
    await handle(event)
    last = event.id
  }
  return last
}
