import type { Event, EventType } from "@trailbook/client/operations"

/**
 * Registers a handler for events of a type, or for all events with `*`. The worker delivers events in order, one at a
 * time, 2 seconds after they happen. It delivers each event at least once.
 *
 * Returns a function that removes the handler. The handler's position is kept under its name.
 *
 * Throws a `TypeError` for an unknown type or for a name that is already in use. Throws a `TrailbookError` with the
 * code `forbidden` if the `read` scope is missing.
 */
export type EventSubscriber = <Type extends EventType | "*">(
  type: Type,
  handler: EventHandler<Type>,
  options?: EventHandlerOptions
) => () => void

/**
 * Handles an event. A handler must be idempotent. The worker calls it again with the same event if it throws or
 * rejects, or if the process ends before its promise is fulfilled.
 */
export type EventHandler<Type extends EventType | "*"> = (event: Event<Type>) => unknown

export interface EventHandlerOptions {
  /**
   * The name under which the handler's position is stored. All processes on the database share the position. The name
   * must be unique among an outfitter's handlers. Default: the event type, or `all` for `*`.
   */
  readonly name?: string | undefined
  /**
   * The starting position for a name that no worker has processed yet: `now` for future events or `start` for the
   * entire history. Ignored once a position is stored. Default: `now`.
   */
  readonly from?: "now" | "start" | undefined
}
