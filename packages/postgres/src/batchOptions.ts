/**
 * Batching of bookings on Postgres: two lanes, so that one batch runs while the other commits, with up to 64 requests
 * per batch. Requests that arrive while both lanes are busy form the next batch. There is no linger time.
 */
export const batchOptions = { lanes: 2, batch: 64 }
