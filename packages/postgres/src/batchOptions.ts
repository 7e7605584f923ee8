/**
 * Batching of bookings on Postgres: two batches at a time, so that one runs while the other commits, with up to 64
 * requests per batch. Requests that arrive while both run form the next batch, without a linger.
 */
export const batchOptions = { concurrency: 2, maxBatchSize: 64 }
