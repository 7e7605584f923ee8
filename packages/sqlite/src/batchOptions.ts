import { yieldToEventLoop } from "@trailbook/core/concurrency/yieldToEventLoop"

/**
 * How bookings are sold on SQLite: it writes one unit of work at a time, so on
 * one lane, up to 64 together. A unit of work there never waits, so a lane gives
 * the event loop turns first, in which every request that has arrived is read.
 */
export const batchOptions = {
  lanes: 1,
  batch: 64,
  gather: yieldToEventLoop
}
