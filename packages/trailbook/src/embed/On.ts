import type { Event, EventType } from "@trailbook/client/operations"

/**
 * Calls a function for every event of a type, or for every event there is when
 * the type is `*`. It is called by the worker, once the event is 2 seconds old,
 * with one event after the other, and at least once for each.
 *
 * The function that it answers with ends that. What has been dealt with stays
 * written down under the name.
 */
export type On = <Type extends EventType | "*">(
  type: Type,
  handler: Handler<Type>,
  options?: OnOptions
) => () => void

/**
 * What is called. When it throws, rejects or dies before its promise is
 * fulfilled, it is called again with the same event: let what it does be safe to
 * repeat.
 */
export type Handler<Type extends EventType | "*"> = (event: Event<Type>) => unknown

export interface OnOptions {
  /**
   * What is dealt with is written down under this name, for all processes on the database. Each handler of an outfitter
   * needs one of its own. The type when nothing is said, and `all` for `*`.
   */
  readonly name?: string | undefined
  /**
   * Where a name begins that no worker has seen yet: with what happens from then on, which is the default, or with the
   * first event there ever was. Not looked at afterwards.
   */
  readonly from?: "now" | "start" | undefined
}
