/**
 * The batch settings for bookings on Postgres. A batch has up to 64 requests. Two batches run at the same time, so that
 * one executes while the other commits. Requests that arrive in the meantime form the next batch. A batch never waits
 * for more requests.
 */
export const batchOptions = { concurrency: 2, maxBatchSize: 64 }
