import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"

/**
 * What happened, before it has its id. `data` is the wire resource after the
 * change.
 *
 * @category models
 */
export interface NewEvent {
  readonly orgId: string
  /** One that is declared: `Event.Told` makes sure of it. */
  readonly type: string
  readonly data: unknown
  /**
   * Whose personal data `data` holds, so that an erasure finds it: a customer's id, or the
   * conversation's while whoever asks in it is no customer.
   */
  readonly person: string | null
  readonly createdAt: Instant
}

/**
 * @category models
 */
export interface StoredEvent extends NewEvent {
  /** Counts up by one per org, in the order of commits. */
  readonly id: number
}

/**
 * @category models
 */
export interface EventPage {
  readonly events: ReadonlyArray<StoredEvent>
  /** Where to go on: the last of as many events as were asked for, else H, and never before `after`. */
  readonly nextAfter: number
}

/**
 * How far an org has come: the number of its events, and of the other changes that its people see.
 *
 * @category models
 */
export interface LogPosition {
  readonly orgId: string
  readonly head: number
}

/**
 * More events than an org has in the time that they are young. A storage may
 * look for young ones among so many of the newest alone.
 *
 * @category constants
 */
export const maxUnsettled = 20_000

/**
 * The log of every org. Ids are dense and become visible in the order of ids,
 * because `append` is the last thing a unit of work does: it bumps the org's
 * counter, whose row stays locked until the commit.
 *
 * An event refers to its org, and to no customer: `person` is there to be
 * looked for. Events of an org that is not there are not stored: that is a defect.
 *
 * @category ports
 */
export class EventLog extends Context.Tag("@trailbook/core/EventLog")<
  EventLog,
  {
    /** Gives each event, in their order, the next id of its org and stores it. Call it last in a unit of work. */
    readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<void>
    /**
     * Events with `after < id <= H`, oldest first, in one snapshot with H: the id
     * before the lowest young one after `after`, or else the newest. An event is
     * young while `youngAfter < createdAt < youngBefore`. Moments run backwards along
     * ids where a unit of work waited for a lock, so an old event may follow young ones.
     */
    readonly page: (query: {
      readonly orgId: string
      readonly after: number
      readonly type?: string | undefined
      readonly limit: number
      readonly youngAfter: Instant
      readonly youngBefore: Instant
    }) => Effect.Effect<EventPage>
    /** The newest `limit` events, oldest first, young ones included; none for a `limit` of 0. */
    readonly latest: (orgId: string, limit: number) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Events that hold this person's data, with an id greater than `after`, oldest first, at most `limit`. */
    readonly about: (
      orgId: string,
      person: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** The newest events of these types that hold this person's data, newest first. */
    readonly latestAbout: (
      orgId: string,
      person: string,
      types: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Has all events that hold one person's data hold another's: whoever asked has become a customer. */
    readonly relabel: (orgId: string, from: string, to: string) => Effect.Effect<void>
    /** Rewrites `data` in place; ids and times stay. An erasure does this. */
    readonly rewrite: (orgId: string, events: ReadonlyArray<Pick<StoredEvent, "id" | "data">>) => Effect.Effect<void>
    /**
     * Says that something of an org has changed which is no event, such as a conversation that is done: its head counts
     * up by one, and no event's id does. Like `append` it keeps the org's counter locked: call it last in a unit of work.
     */
    readonly touch: (orgId: string) => Effect.Effect<void>
    /**
     * The heads of these orgs, each once and in any order; young events count. An org of which nothing was told has
     * none.
     */
    readonly heads: (orgIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LogPosition>>
  }
>() {}
