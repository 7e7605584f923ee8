import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"

/** An event before it has an ID. `data` is the API resource after the change. */
export interface NewEvent {
  readonly orgId: string
  /** A declared type, which `Event.EventPayload` enforces. */
  readonly type: string
  readonly data: unknown
  /**
   * The person whose data the event contains. An erasure finds the event by this ID: a customer ID, or the conversation
   * ID if the person is not a customer yet.
   */
  readonly person: string | null
  readonly createdAt: Instant
}

export interface StoredEvent extends NewEvent {
  /** The event's ID. IDs are consecutive per org and follow the commit order. */
  readonly id: number
}

export interface EventPage {
  readonly events: ReadonlyArray<StoredEvent>
  /**
   * The cursor for the next page: the ID of the last event on a full page, or H otherwise. It is never less than
   * `after`.
   */
  readonly nextAfter: number
}

/** An org's head: the number of its events plus the number of other changes that its staff can see. */
export interface EventLogHead {
  readonly orgId: string
  readonly head: number
}

/**
 * The maximum number of young events in an org. An adapter can limit its search for young events to this many of the
 * newest events.
 */
export const maxYoungEvents = 20_000

/**
 * The event logs of all orgs. IDs are consecutive and become visible in order, because `append` is the last step in a
 * transaction. `append` increments the org's counter, whose row stays locked until the commit.
 *
 * An event references its org. A write that violates this rule fails as a defect. `person` is a search key, not a
 * foreign key.
 */
export class EventLog extends Context.Tag("@trailbook/core/EventLog")<
  EventLog,
  {
    /**
     * Assigns the org's next IDs to the events, in input order, and stores them. Call `append` last in a transaction.
     */
    readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<void>
    /**
     * Returns the events with `after < id <= H`, oldest first, in one snapshot with H. H is the ID just before the
     * lowest young event after `after`, or the newest ID if no event is young. An event is young if
     * `youngAfter < createdAt < youngBefore`. A transaction that waited for a lock has an earlier timestamp, so an old
     * event can follow young events.
     */
    readonly page: (query: {
      readonly orgId: string
      readonly after: number
      readonly type?: string | undefined
      readonly limit: number
      readonly youngAfter: Instant
      readonly youngBefore: Instant
    }) => Effect.Effect<EventPage>
    /** Returns the newest `limit` events, including young events, oldest first. */
    readonly latest: (orgId: string, limit: number) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Returns at most `limit` events with this person's data and an ID greater than `after`, oldest first. */
    readonly about: (
      orgId: string,
      person: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Returns the newest events of these types with this person's data, newest first. */
    readonly latestAbout: (
      orgId: string,
      person: string,
      types: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Reassigns events to another person. Used when a person who asked a question becomes a customer. */
    readonly relabel: (orgId: string, from: string, to: string) => Effect.Effect<void>
    /** Replaces the `data` of events for an erasure. IDs and times do not change. */
    readonly rewrite: (orgId: string, events: ReadonlyArray<Pick<StoredEvent, "id" | "data">>) => Effect.Effect<void>
    /**
     * Records a change that is not an event, such as closing a conversation. Increments the head, but not the event
     * IDs. Locks the org's counter until the commit, like `append`, so call it last in a transaction.
     */
    readonly touch: (orgId: string) => Effect.Effect<void>
    /**
     * Returns the head of each of these orgs once, in any order. The heads include young events. Orgs without changes
     * are omitted.
     */
    readonly heads: (orgIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EventLogHead>>
  }
>() {}
