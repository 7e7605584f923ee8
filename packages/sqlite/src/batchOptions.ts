import { yieldToEventLoop } from "@trailbook/core/concurrency"

/**
 * How bookings are batched on SQLite. One batch runs at a time, because SQLite has a single writer, with up to 64
 * requests. A unit of work never yields. Before it starts, the batch therefore yields to the event loop until all
 * pending requests have been read.
 */
export const batchOptions = {
  concurrency: 1,
  maxBatchSize: 64,
  linger: yieldToEventLoop
}
