/**
 * What may happen, each type declared once: REST's webhooks, the client's and the
 * receiver's types, hooks, erasure and the reference are read off this value.
 */
import type * as Schema from "effect/Schema"
import type { NewEvent } from "./EventLog.ts"

/**
 * @category models
 */
export interface Event<out Type extends string, out Data extends Schema.Schema.AnyNoContext> {
  /** `resource.what_happened`. */
  readonly type: Type
  /** The resource after the change. Which of its fields are personal is said on them (`View.personal`). */
  readonly data: Data
  /** When it is written. */
  readonly when: string
  /** What the data has beside the resource, or in place of it. */
  readonly beside?: string
}

export type Any = Event<string, Schema.Schema.AnyNoContext>

/**
 * @category constructors
 */
export const make = <const Type extends `${string}.${string}`, Data extends Schema.Schema.AnyNoContext>(
  type: Type,
  declared: Omit<Event<Type, Data>, "type">
): Event<Type, Data> => ({ type, ...declared })

/**
 * What is written when one of these has happened: a type that is not among them,
 * or the data of another, does not compile.
 *
 * @category models
 */
export type EventPayload<Events extends ReadonlyArray<Any>> = {
  readonly [E in Events[number] as E["type"]]: NewEvent & {
    readonly type: E["type"]
    readonly data: Schema.Schema.Type<E["data"]>
  }
}[Events[number]["type"]]
