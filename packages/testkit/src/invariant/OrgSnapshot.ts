import type { Booking, BookingRecord } from "@trailbook/core/booking"
import type { Message } from "@trailbook/core/conversation/message/Message"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { StoredFile } from "@trailbook/core/file"
import type { Closure, DiscountCode } from "@trailbook/core/offering"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Org } from "@trailbook/core/org/Org"
import type { LedgerEntry } from "@trailbook/core/payment"
import type { StoredEvent } from "@trailbook/core/port"
import type { Session } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Store from "../law/Store.ts"

/** The complete data of an org, including its event log. */
export interface OrgSnapshot {
  readonly org: Org
  /** All offerings in the event log, including deleted ones. */
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly closures: ReadonlyArray<Closure>
  readonly discounts: ReadonlyArray<DiscountCode>
  readonly customers: ReadonlyArray<Customer>
  readonly records: ReadonlyArray<BookingRecord>
  readonly entries: ReadonlyArray<LedgerEntry>
  /** The messages, excluding notes, which have no events. */
  readonly messages: ReadonlyArray<Message>
  /** The files of messages, grouped by message and ordered by position. */
  readonly files: ReadonlyArray<StoredFile>
  /** All events, in feed order. */
  readonly events: ReadonlyArray<StoredEvent>
}

const unlimited = { limit: Number.MAX_SAFE_INTEGER }

/** An empty range, so that no event counts as young. */
const noYoungEvents = { youngAfter: Instant.max, youngBefore: Instant.min }

/** Reads an org in one snapshot. */
export const readOrgSnapshot = (orgId: string): Effect.Effect<OrgSnapshot, never, Storage> =>
  Store.snapshot(Effect.gen(function*() {
    const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
    const { events } = yield* Store.eventLog.page({ ...unlimited, ...noYoungEvents, orgId, after: 0 })
    const records = yield* Store.bookings.list({ ...unlimited, orgId, order: "asc" })
    const sessionRows = yield* Store.sessions.list({ ...unlimited, orgId, now: Instant.min })
    const listedOfferings = yield* Store.offerings.list({ ...unlimited, orgId })
    const messages = yield* Store.messages.list({ ...unlimited, orgId })
    const offeringIds = new Set([
      ...listedOfferings.map(({ id }) => id),
      ...events.flatMap(({ data, type }) => type.startsWith("offering.") ? [getResourceId(data)] : [])
    ])
    return {
      org,
      events,
      records,
      entries: yield* Store.ledger.list({ ...unlimited, orgId, after: undefined }),
      files: yield* Store.files.ofMessages(orgId, messages.map(({ id }) => id)),
      messages: messages.filter(({ kind }) => kind === "message"),
      offerings: yield* Store.offerings.find([...offeringIds].map((id) => ({ orgId, id }))),
      closures: yield* Store.closures.list({ ...unlimited, orgId }),
      discounts: yield* Store.discounts.list({ ...unlimited, orgId }),
      sessions: sessionRows.map(({ session }) => session),
      customers: yield* Store.customers.list({ ...unlimited, orgId })
    }
  }))

/** Returns the ID of the resource in an event. */
export const getResourceId = (data: unknown): string =>
  typeof data === "object" && data !== null && "id" in data ? String(data.id) : ""

/** Describes a booking in a violation message. */
export const describeBooking = ({ id, reference }: Pick<Booking, "id" | "reference">): string =>
  `booking ${reference} (${id})`
