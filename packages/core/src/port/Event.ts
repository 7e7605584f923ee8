/**
 * Declares an event. Each event type is declared once. Webhooks, the client and receiver types, subscriptions, erasure,
 * and the reference are derived from this declaration.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { currentTime } from "../time/currentTime.ts"
import type { EventLog, NewEvent } from "./EventLog.ts"

export interface Event<out Type extends string, out Data extends Schema.Schema.AnyNoContext> {
  /** The type, such as `booking.created`. */
  readonly type: Type
  /** The resource after the change. The personal fields of the resource are marked with `View.personal`. */
  readonly data: Data
  /** A description of when the event is written. */
  readonly when: string
  /** A description of the data that the event contains in addition to, or instead of, the resource. */
  readonly extraData?: string
}

export type Any = Event<string, Schema.Schema.AnyNoContext>

export const make = <const Type extends `${string}.${string}`, Data extends Schema.Schema.AnyNoContext>(
  type: Type,
  declared: Omit<Event<Type, Data>, "type">
): Event<Type, Data> => ({ type, ...declared })

/** The payloads of these events by type. An undeclared type, or data with a different schema, is a type error. */
export type EventPayload<Events extends ReadonlyArray<Any>> = {
  readonly [E in Events[number] as E["type"]]: NewEvent & {
    readonly type: E["type"]
    readonly data: Schema.Schema.Type<E["data"]>
  }
}[Events[number]["type"]]

/** Creates a function that appends an event with the current time and no personal data. */
export const makeAppend =
  <Payload extends NewEvent>(log: EventLog["Type"]) =>
  (event: Pick<Payload, "orgId" | "type" | "data">): Effect.Effect<void> =>
    Effect.flatMap(currentTime, (createdAt) => log.append([{ ...event, person: null, createdAt }]))
