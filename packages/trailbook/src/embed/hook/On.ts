import type { Event, EventType } from "@trailbook/client/operations"

/**
 * Registers a handler for events of a type, or for all events with `*`. The worker delivers each event at least once, 2
 * seconds after it happened, one at a time in order.
 *
 * Returns a function that removes the handler. The position remains stored under its name.
 *
 * Throws a `TypeError` for an unknown type or for a name that is already in use. Without the `read` scope, it throws a
 * `TrailbookError` with the code `forbidden`.
 */
export type On = <Type extends EventType | "*">(
  type: Type,
  handler: Handler<Type>,
  options?: OnOptions
) => () => void

/**
 * Handles an event. If it throws, rejects, or the process ends before its promise is fulfilled, it is called again with
 * the same event, so it must be idempotent.
 */
export type Handler<Type extends EventType | "*"> = (event: Event<Type>) => unknown

export interface OnOptions {
  /**
   * The name under which the position is stored, shared by all processes on the database. It must be unique among an
   * outfitter's handlers. Default: the event type, or `all` for `*`.
   */
  readonly name?: string | undefined
  /**
   * The starting position for a name that no worker has processed yet: `now` for future events or `start` for the
   * entire history. Ignored once a position is stored. Default: `now`.
   */
  readonly from?: "now" | "start" | undefined
}
