/**
 * Checks the feed: IDs start at 1 without gaps, every change has exactly one event, and a resource's last event equals
 * its stored state.
 */
import { bookingView } from "@trailbook/core/booking"
import { messageView } from "@trailbook/core/conversation"
import { customerView } from "@trailbook/core/customer"
import { attachmentView } from "@trailbook/core/file"
import { closureView, discountView, offeringView } from "@trailbook/core/offering"
import { orgView } from "@trailbook/core/org"
import { ledgerEntryView } from "@trailbook/core/payment"
import type { StoredEvent } from "@trailbook/core/port"
import { sessionView } from "@trailbook/core/session"
import { sortKeys } from "../law/rowAssertions.ts"
import { getResourceId, type OrgSnapshot } from "./OrgSnapshot.ts"

export const findFeedViolations = (snapshot: OrgSnapshot): ReadonlyArray<string> => [
  ...findGaps(snapshot.events),
  ...findUnchanged(snapshot, snapshot.events.filter(isChange)),
  ...checkStored(snapshot)
]

/** Returns whether an event reports a change. A draft is stored only in its event, and can equal the previous draft. */
const isChange = ({ type }: StoredEvent): boolean => type !== "message.drafted"

const findGaps = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> =>
  events.flatMap(({ id }, at) => id === at + 1 ? [] : [`event ${id} is at the position of event ${at + 1}`])

type Kind = "booking" | "session" | "closure" | "discount" | "offering" | "customer" | "message" | "payment" | "org"

const kindOf = ({ type }: StoredEvent): Kind => type.slice(0, type.indexOf(".")) as Kind

const subjectOf = (event: StoredEvent): string => `${kindOf(event)} ${getResourceId(event.data)}`

// Erasure rewrites past events, so events about a customer can become equal, and so can two changes to a booking's
// notes.
const findUnchanged = ({ customers }: OrgSnapshot, events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> => {
  const erasedIds = new Set(customers.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id))
  const lastEvents = new Map<string, StoredEvent>()
  return events.flatMap((event) => {
    const previous = lastEvents.get(subjectOf(event))
    lastEvents.set(subjectOf(event), event)
    const isUnchanged = previous !== undefined && kindOf(event) !== "customer" && previous.type === event.type &&
      JSON.stringify(previous.data) === JSON.stringify(event.data) &&
      !(event.type === "booking.updated" && erasedIds.has(event.person ?? ""))
    return isUnchanged ? [`event ${event.id} (${event.type}) contains no change`] : []
  })
}

/** Returns the ID and view of each stored resource, by kind. */
const toViews = (snapshot: OrgSnapshot): ReadonlyArray<readonly [kind: Kind, id: string, view: object]> => [
  ...snapshot.offerings.map((row) => ["offering", row.id, offeringView(row)] as const),
  ...snapshot.sessions.map((row) => ["session", row.id, sessionView(row)] as const),
  ...snapshot.closures.map((row) => ["closure", row.id, closureView(row)] as const),
  ...snapshot.discounts.map((row) => ["discount", row.id, discountView(row)] as const),
  ...snapshot.customers.map((row) => ["customer", row.id, customerView(row)] as const),
  ...snapshot.records.map((row) => ["booking", row.booking.id, bookingView(row)] as const),
  ...snapshot.entries.filter(({ method }) => method !== "online").map((row) =>
    ["payment", row.id, ledgerEntryView(row)] as const
  ),
  ...snapshot.messages.map((row) => {
    const files = snapshot.files.filter(({ messageId }) => messageId === row.id)
    return ["message", row.id, messageView(row, files.map(attachmentView))] as const
  })
]

// The fields that can change without an event. The names in a booking are a snapshot. The checkout URL is known only
// after the hold's event. A payment for a canceled booking is refunded without an event. Payment events contain the
// amounts. `history` checks `updated_at`, which these changes set.
const untrackedFields: ReadonlySet<string> = new Set([
  "offering",
  "customer",
  "checkout_url",
  "updated_at",
  "paid_cents",
  "due_cents",
  "owed_cents"
])
// Changes to a message's delivery state, and linking an inquiry to a customer, have no events.
const untrackedMessageFields: ReadonlySet<string> = new Set([
  "read_at",
  "delivered_at",
  "failed_at",
  "customer_id",
  "conversation_id"
])
// The fields that can change in a restored booking without an event, because the cancellation's refund still goes
// through.
const untrackedRefundFields: ReadonlySet<string> = new Set([...untrackedFields, "refund"])
const untrackedCanceledFields: ReadonlySet<string> = new Set([
  ...untrackedFields,
  "payment_intent_id",
  "refund",
  "kept_cents"
])

const checkStored = (snapshot: OrgSnapshot): ReadonlyArray<string> => {
  const lastEvents = new Map(snapshot.events.filter(isChange).map((event) => [subjectOf(event), event]))
  // Only closures and discount codes are removed.
  for (const [subject, { type }] of lastEvents) {
    if (type === "closure.deleted" || type === "discount.deleted") lastEvents.delete(subject)
  }
  const org = lastEvents.get(`org ${snapshot.org.id}`)
  const resources = toViews(snapshot)
  const subjects = new Set(resources.map(([kind, id]) => `${kind} ${id}`))
  return [
    ...resources.flatMap(([kind, id, view]) => {
      const event = lastEvents.get(`${kind} ${id}`)
      return event === undefined ? [`${kind} ${id} has no event`] : findDifferences(event, view)
    }),
    ...(org === undefined ? [] : findDifferences(org, orgView(snapshot.org))),
    ...[...lastEvents.keys()].filter((subject) => !subject.startsWith("org ") && !subjects.has(subject)).map((
      subject
    ) => `${subject} has an event but is not stored`)
  ]
}

const findDifferences = (event: StoredEvent, view: object): ReadonlyArray<string> => {
  const data = new Map(Object.entries(event.data ?? {}))
  const untracked = kindOf(event) === "message"
    ? untrackedMessageFields
    : event.type === "booking.cancelled"
    ? untrackedCanceledFields
    : data.has("refund") && data.get("refund") !== null
    ? untrackedRefundFields
    : untrackedFields
  return Object.entries(view)
    .filter(([field, value]) => !untracked.has(field) && !sameJson(data.get(field), value))
    .map(([field, value]) =>
      `${subjectOf(event)} has ${field} ${JSON.stringify(value)}, but its last event (${event.id}) contains ${
        JSON.stringify(data.get(field))
      }`
    )
}

/** Compares JSON regardless of key order, because a storage adapter can reorder metadata keys. */
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
