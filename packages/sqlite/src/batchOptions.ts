import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"

/**
 * Batching of bookings on SQLite: one lane, because SQLite has a single writer, with up to 64 requests per batch. A
 * unit of work never yields, so the lane yields to the event loop first, until all requests that have arrived are
 * read.
 */
export const batchOptions = {
  lanes: 1,
  batch: 64,
  gather: yieldToEventLoop
}
