import * as Data from "effect/Data"

/**
 * The required rows are not locked, or the usage was read for another time. The booking, or another one in the batch,
 * was moved or expired before the lock. Nothing is stored for the request, and it is retried.
 */
export class StaleRead extends Data.TaggedError("StaleRead")<{}> {}
