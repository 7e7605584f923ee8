import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"

/**
 * Batching of bookings on SQLite: one batch at a time, because SQLite has a single writer, with up to 64 requests. A
 * unit of work never yields, so a batch yields to the event loop first, until all requests that have arrived are read.
 */
export const batchOptions = {
  concurrency: 1,
  maxBatchSize: 64,
  linger: yieldToEventLoop
}
