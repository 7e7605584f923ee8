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
   * The person whose data it contains, so that an erasure finds it: a customer ID, or the conversation ID while the
   * person is not a customer.
   */
  readonly person: string | null
  readonly createdAt: Instant
}

export interface StoredEvent extends NewEvent {
  /** Consecutive per org, in commit order. */
  readonly id: number
}

export interface EventPage {
  readonly events: ReadonlyArray<StoredEvent>
  /** The cursor of the next page: the last event of a full page, otherwise H, and never less than `after`. */
  readonly nextAfter: number
}

/** The head of an org: the number of its events, plus the other changes that its staff can see. */
export interface LogPosition {
  readonly orgId: string
  readonly head: number
}

/**
 * More events than an org writes while they are young. A storage may search only this many of the newest events for
 * young ones.
 */
export const maxUnsettled = 20_000

/**
 * The event log of every org. IDs are consecutive and become visible in order, because `append` is the last step of a
 * transaction: it increments the org's counter, whose row stays locked until the commit.
 *
 * An event refers to its org; storing one that does not is a defect. `person` is not a foreign key, but only a search
 * key.
 */
export class EventLog extends Context.Tag("@trailbook/core/EventLog")<
  EventLog,
  {
    /**
     * Assigns the next IDs of the org to the events, in input order, and stores them. Call it last in a transaction.
     */
    readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<void>
    /**
     * Events with `after < id <= H`, oldest first, in one snapshot with H: the ID before the lowest young event after
     * `after`, or else the newest ID. An event is young while `youngAfter < createdAt < youngBefore`. A transaction
     * that waited for a lock has an earlier timestamp, so an old event can follow young ones.
     */
    readonly page: (query: {
      readonly orgId: string
      readonly after: number
      readonly type?: string | undefined
      readonly limit: number
      readonly youngAfter: Instant
      readonly youngBefore: Instant
    }) => Effect.Effect<EventPage>
    /** The newest `limit` events, oldest first, including young ones. */
    readonly latest: (orgId: string, limit: number) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** At most `limit` events with data of this person and an ID greater than `after`, oldest first. */
    readonly about: (
      orgId: string,
      person: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** The newest events of these types with data of this person, newest first. */
    readonly latestAbout: (
      orgId: string,
      person: string,
      types: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Replaces the person of events, when a person who asked becomes a customer. */
    readonly relabel: (orgId: string, from: string, to: string) => Effect.Effect<void>
    /** Replaces `data`. IDs and times do not change. Used by erasures. */
    readonly rewrite: (orgId: string, events: ReadonlyArray<Pick<StoredEvent, "id" | "data">>) => Effect.Effect<void>
    /**
     * Records a change of an org that is not an event, such as a closed conversation. Increments the head, but not the
     * event IDs. Keeps the org's counter locked, like `append`: call it last in a transaction.
     */
    readonly touch: (orgId: string) => Effect.Effect<void>
    /** The heads of these orgs, each once, in any order, including young events. An org without changes is omitted. */
    readonly heads: (orgIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LogPosition>>
  }
>() {}
