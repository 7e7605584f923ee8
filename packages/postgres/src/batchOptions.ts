/**
 * How bookings are batched on Postgres. Two batches run at a time, so that one runs while the other commits, with up to
 * 64 requests per batch. Requests that arrive while both run form the next batch. A batch never waits for more
 * requests.
 */
export const batchOptions = { concurrency: 2, maxBatchSize: 64 }
