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
import { type OrgSnapshot, resourceId } from "./OrgSnapshot.ts"
import { sortKeys } from "./sortKeys.ts"

export const feed = (ledger: OrgSnapshot): ReadonlyArray<string> => [
  ...dense(ledger.events),
  ...idle(ledger, ledger.events.filter(isOfChange)),
  ...checkStored(ledger)
]

/** Returns whether an event reports a change. A draft is stored only in its event and may equal the previous draft. */
const isOfChange = ({ type }: StoredEvent): boolean => type !== "message.drafted"

const dense = (events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> =>
  events.flatMap(({ id }, at) => id === at + 1 ? [] : [`event ${id} is at the position of event ${at + 1}`])

type Kind = "booking" | "session" | "closure" | "discount" | "offering" | "customer" | "message" | "payment" | "org"

const kindOf = ({ type }: StoredEvent): Kind => type.slice(0, type.indexOf(".")) as Kind

const subjectOf = (event: StoredEvent): string => `${kindOf(event)} ${resourceId(event.data)}`

// Erasure rewrites past events, so events about a customer can become equal, and so can two changes to a booking's
// notes.
const idle = ({ customers }: OrgSnapshot, events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> => {
  const erased = new Set(customers.filter(({ erasedAt }) => erasedAt !== null).map(({ id }) => id))
  const last = new Map<string, StoredEvent>()
  return events.flatMap((event) => {
    const before = last.get(subjectOf(event))
    last.set(subjectOf(event), event)
    const same = before !== undefined && kindOf(event) !== "customer" && before.type === event.type &&
      JSON.stringify(before.data) === JSON.stringify(event.data) &&
      !(event.type === "booking.updated" && erased.has(event.person ?? ""))
    return same ? [`event ${event.id} (${event.type}) contains no change`] : []
  })
}

/** Returns the ID and view of each stored resource, by kind. */
const viewsOf = (ledger: OrgSnapshot): ReadonlyArray<readonly [kind: Kind, id: string, view: object]> => [
  ...ledger.offerings.map((row) => ["offering", row.id, offeringView(row)] as const),
  ...ledger.sessions.map((row) => ["session", row.id, sessionView(row)] as const),
  ...ledger.closures.map((row) => ["closure", row.id, closureView(row)] as const),
  ...ledger.discounts.map((row) => ["discount", row.id, discountView(row)] as const),
  ...ledger.customers.map((row) => ["customer", row.id, customerView(row)] as const),
  ...ledger.records.map((row) => ["booking", row.booking.id, bookingView(row)] as const),
  ...ledger.entries.filter(({ method }) => method !== "online").map((row) =>
    ["payment", row.id, ledgerEntryView(row)] as const
  ),
  ...ledger.messages.map((row) => {
    const files = ledger.files.filter(({ messageId }) => messageId === row.id)
    return ["message", row.id, messageView(row, files.map(attachmentView))] as const
  })
]

// The fields that can change without an event. The names in a booking are a snapshot. The checkout URL is known only
// after the hold's event. A payment for a canceled booking is refunded without an event. Payment events contain the
// amounts. `history` checks `updated_at`, which these changes set.
const changesUntold: ReadonlySet<string> = new Set([
  "offering",
  "customer",
  "checkout_url",
  "updated_at",
  "paid_cents",
  "due_cents",
  "owed_cents"
])
// A message's delivery states, and linking an inquiry to a customer, have no events.
const changesUntoldOfMessages: ReadonlySet<string> = new Set([
  "read_at",
  "delivered_at",
  "failed_at",
  "customer_id",
  "conversation_id"
])
// The fields that can change in a restored booking without an event. The cancellation's refund still goes through.
const changesUntoldWithRefund: ReadonlySet<string> = new Set([...changesUntold, "refund"])
const changesUntoldOnceCancelled: ReadonlySet<string> = new Set([
  ...changesUntold,
  "payment_intent_id",
  "refund",
  "kept_cents"
])

const checkStored = (ledger: OrgSnapshot): ReadonlyArray<string> => {
  const last = new Map(ledger.events.filter(isOfChange).map((event) => [subjectOf(event), event]))
  // Only closures and discount codes are removed.
  for (const [subject, { type }] of last) {
    if (type === "closure.deleted" || type === "discount.deleted") last.delete(subject)
  }
  const org = last.get(`org ${ledger.org.id}`)
  const things = viewsOf(ledger)
  const subjects = new Set(things.map(([kind, id]) => `${kind} ${id}`))
  return [
    ...things.flatMap(([kind, id, view]) => {
      const event = last.get(`${kind} ${id}`)
      return event === undefined ? [`${kind} ${id} has no event`] : differences(event, view)
    }),
    ...(org === undefined ? [] : differences(org, orgView(ledger.org))),
    ...[...last.keys()].filter((subject) => !subject.startsWith("org ") && !subjects.has(subject)).map((subject) =>
      `${subject} has an event but is not stored`
    )
  ]
}

const differences = (event: StoredEvent, view: object): ReadonlyArray<string> => {
  const data = new Map(Object.entries(event.data ?? {}))
  const untold = kindOf(event) === "message"
    ? changesUntoldOfMessages
    : event.type === "booking.cancelled"
    ? changesUntoldOnceCancelled
    : data.has("refund") && data.get("refund") !== null
    ? changesUntoldWithRefund
    : changesUntold
  return Object.entries(view)
    .filter(([field, value]) => !untold.has(field) && !sameJson(data.get(field), value))
    .map(([field, value]) =>
      `${subjectOf(event)} has ${field} ${JSON.stringify(value)}, but its last event (${event.id}) contains ${
        JSON.stringify(data.get(field))
      }`
    )
}

/** Compares JSON regardless of the order of keys, because a storage adapter can reorder metadata keys. */
const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
