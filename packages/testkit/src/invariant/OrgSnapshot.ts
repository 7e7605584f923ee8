import type { Booking } from "@trailbook/core/booking/Booking"
import type { BookingRecord } from "@trailbook/core/booking/BookingView"
import type { Message } from "@trailbook/core/conversation/Message"
import type { Customer } from "@trailbook/core/customer/Customer"
import type { StoredFile } from "@trailbook/core/file/StoredFile"
import type { Offering } from "@trailbook/core/offering/Offering"
import type { Org } from "@trailbook/core/org/Org"
import type { StoredEvent } from "@trailbook/core/port/EventLog"
import type { Session } from "@trailbook/core/session/Session"
import type { Storage } from "@trailbook/core/storage/Storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import * as Store from "../law/Store.ts"

/** All that is stored of an org, and all that was ever told of it. */
export interface OrgSnapshot {
  readonly org: Org
  /** Those that any event told of, deleted ones included. */
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer>
  readonly records: ReadonlyArray<BookingRecord>
  /** Without notes, of which nothing is told. */
  readonly messages: ReadonlyArray<Message>
  /** Those of messages, each message's together and in their places. */
  readonly files: ReadonlyArray<StoredFile>
  /** From the first one on, in the order in which they are served. */
  readonly events: ReadonlyArray<StoredEvent>
}

const everything = { limit: Number.MAX_SAFE_INTEGER }

/** No event is young between two moments that leave nothing between them. */
const nothingIsYoung = { youngAfter: Instant.max, youngBefore: Instant.min }

/** The ledger of an org as it is at one moment. */
export const read = (orgId: string): Effect.Effect<OrgSnapshot, never, Storage> =>
  Effect.gen(function*() {
    return yield* Store.snapshot(Effect.gen(function*() {
      const org = yield* Effect.orDie(Effect.flatten(Store.orgs.find(orgId)))
      const { events } = yield* Store.log.page({ ...everything, ...nothingIsYoung, orgId, after: 0 })
      const booked = yield* Store.bookings.list({ ...everything, orgId, order: "asc" })
      const scheduled = yield* Store.sessions.list({ ...everything, orgId, now: Instant.min })
      const listed = yield* Store.offerings.list({ ...everything, orgId })
      const said = yield* Store.messages.list({ ...everything, orgId })
      const mentioned = new Set([
        ...listed.map(({ id }) => id),
        ...events.flatMap(({ data, type }) => type.startsWith("offering.") ? [resourceId(data)] : [])
      ])
      return {
        org,
        events,
        records: booked,
        files: yield* Store.files.ofMessages(orgId, said.map(({ id }) => id)),
        messages: said.filter(({ kind }) => kind === "message"),
        offerings: yield* Store.offerings.find([...mentioned].map((id) => ({ orgId, id }))),
        sessions: scheduled.map(({ session }) => session),
        customers: yield* Store.customers.list({ ...everything, orgId })
      }
    }))
  })

/** The id of the resource that an event carries. */
export const resourceId = (data: unknown): string =>
  typeof data === "object" && data !== null && "id" in data ? String(data.id) : ""

/** How a booking is called in a sentence. */
export const describeBooking = ({ id, reference }: Pick<Booking, "id" | "reference">): string =>
  `booking ${reference} (${id})`
