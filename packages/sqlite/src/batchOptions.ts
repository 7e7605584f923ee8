import { yieldToEventLoop } from "@trailbook/core/concurrency"

/**
 * The batch settings for bookings on SQLite. A batch has up to 64 requests. Only one batch runs at a time, because
 * SQLite has a single writer. A unit of work never yields, so a batch first yields to the event loop until all pending
 * requests have been read.
 */
export const batchOptions = {
  concurrency: 1,
  maxBatchSize: 64,
  linger: yieldToEventLoop
}
