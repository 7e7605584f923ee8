/** Tests that the checker reports nothing for a correct ledger, and one error for each possible defect. */
import { type Booking, type BookingRecord, bookingView, type Place } from "@trailbook/core/booking"
import { customerView } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import type { EventType } from "@trailbook/core/event"
import { offeringView } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { orgView } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import type { StoredEvent } from "@trailbook/core/port"
import { type Session, sessionView } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import { type StatusFields, withStatus } from "@trailbook/testkit/generator/booking"
import { origin } from "@trailbook/testkit/generator/moment"
import type { OrgSnapshot } from "@trailbook/testkit/invariant/OrgSnapshot"
import { findViolations } from "@trailbook/testkit/invariants"
import { newBooking } from "@trailbook/testkit/law/sampleRows"
import { assert, describe, it } from "vitest"

const orgId = "org"
const at = (minutes: number) => Instant.addMinutes(origin, minutes)
const place = (start: number, end: number, sessionId: string | null = null): Place => ({
  startsAt: at(start),
  endsAt: at(end),
  sessionId
})

const org = Org.make({ id: orgId, name: "Town", slug: "town", timezone: "UTC", createdAt: origin })
const guiding: Offering.Offering = {
  ...Offering.make({ id: "guiding", orgId, kind: "appointment", name: "Guiding", createdAt: origin }),
  capacity: 1,
  bufferMinutes: 30
}
const rafting: Offering.Offering = {
  ...Offering.make({ id: "rafting", orgId, kind: "class", name: "Rafting", createdAt: origin }),
  capacity: 3
}
const morning: Session = {
  ...place(600, 720),
  id: "morning",
  orgId,
  offeringId: "rafting",
  capacity: null,
  notes: "",
  status: "scheduled",
  createdAt: origin,
  judgedAt: origin
}
const ann = {
  ...Customer.make({ id: "ann", orgId, email: "ann@a.co", createdAt: origin }),
  name: "Ann",
  metadata: { vip: true }
}

const booking = (id: string, offeringId: string, where: Place, state: StatusFields, quantity = 1): Booking =>
  withStatus(
    {
      ...newBooking({ orgId, offeringId, customerId: "ann", ...where }),
      id,
      periodMinutes: 60,
      quantity,
      totalCents: 500,
      reference: `REF-${id}`,
      handle: `handle-${id}`,
      checkInToken: `token-${id}`,
      notes: "vegetarian",
      idempotency: { key: `key-${id}`, fingerprint: "" }
    },
    state
  )

const confirmedState: StatusFields = { status: "confirmed" }
const cancelledAt = (minutes: number): StatusFields => ({ status: "cancelled", cancelledAt: at(minutes), keepCents: 0 })
const heldUntil = (minutes: number): StatusFields => ({
  status: "held",
  expiresAt: at(minutes),
  paymentDue: false,
  checkoutUrl: null
})

/** The minute of the event that confirms each booking. */
const confirmedIn: Readonly<Record<string, number>> = { 1: 2, 2: 4, 3: 70, 4: 50, 5: 51, 6: 52, 7: 70 }

const recordOf = (booking: Booking): BookingRecord => ({
  booking: booking.status === "held"
    ? { ...booking, updatedAt: at(99) }
    : { ...booking, confirmedAt: at(confirmedIn[booking.id] ?? 0), updatedAt: at(99) },
  offering: booking.offeringId === "guiding" ? guiding : rafting,
  customer: ann
})

type LedgerEvent = readonly [type: EventType, data: unknown, minutes: number]

const bookingEvent = (
  type: EventType,
  booking: Booking,
  minutes: number
): LedgerEvent => [type, { ...bookingView(recordOf(booking)), updated_at: Instant.format(at(minutes)) }, minutes]

// `one` was held, confirmed, and moved, and the guest canceled `two`. The hold `three` expired, and `four` took its
// place. `five` and `six` are bookings of a class.
const one = booking("1", "guiding", place(60, 120), heldUntil(30))
const oneMoved: Booking = { ...withStatus(one, confirmedState), ...place(300, 360), previous: place(60, 120) }
const two = booking("2", "guiding", place(60, 120), confirmedState)
const three = booking("3", "guiding", place(1000, 1060), heldUntil(50))
const four = booking("4", "guiding", place(1000, 1060), confirmedState)
const five = booking("5", "rafting", place(600, 720, "morning"), confirmedState, 2)
const six = booking("6", "rafting", place(600, 720, "morning"), confirmedState, 1)

const story: ReadonlyArray<LedgerEvent> = [
  ["offering.created", offeringView(guiding), 0],
  ["offering.created", offeringView(rafting), 0],
  ["session.created", sessionView(morning), 0],
  ["customer.updated", customerView(ann), 1],
  bookingEvent("booking.held", one, 1),
  bookingEvent("booking.confirmed", withStatus(one, confirmedState), 2),
  bookingEvent("booking.moved", oneMoved, 3),
  bookingEvent("booking.confirmed", two, 4),
  bookingEvent("booking.cancelled", withStatus(two, cancelledAt(5)), 5),
  bookingEvent("booking.held", three, 20),
  bookingEvent("booking.confirmed", four, 50),
  bookingEvent("booking.confirmed", five, 51),
  bookingEvent("booking.confirmed", six, 52),
  ["org.updated", orgView(org), 60]
]

const eventsOf = (story: ReadonlyArray<LedgerEvent>): ReadonlyArray<StoredEvent> =>
  story.map(([type, data, minutes], index) => ({
    id: index + 1,
    orgId,
    type,
    data,
    person: null,
    createdAt: at(minutes)
  }))

const right: OrgSnapshot = {
  org,
  offerings: [guiding, rafting],
  sessions: [morning],
  closures: [],
  discounts: [],
  customers: [ann],
  messages: [],
  files: [],
  entries: [],
  records: [oneMoved, withStatus(two, cancelledAt(5)), three, four, five, six].map(recordOf),
  events: eventsOf(story)
}

/** Returns the ledger with these events appended and these bookings replaced. */
const after = (events: ReadonlyArray<LedgerEvent>, bookings: ReadonlyArray<Booking> = []): OrgSnapshot => ({
  ...right,
  records: [
    ...right.records.filter(({ booking }) => bookings.every(({ id }) => id !== booking.id)),
    ...bookings.map(recordOf)
  ],
  events: eventsOf([...story, ...events])
})

const storing = (change: (booking: Booking) => Booking): OrgSnapshot => ({
  ...right,
  records: right.records.map((record) => ({ ...record, booking: change(record.booking) }))
})

const only = (id: string, change: Partial<Booking>) => (booking: Booking): Booking =>
  booking.id === id ? { ...booking, ...change } as Booking : booking

const seven = (where: Place, state: StatusFields = confirmedState, quantity = 1) =>
  booking("7", "guiding", where, state, quantity)
const confirming = (booking: Booking, minutes = 70): OrgSnapshot =>
  after([bookingEvent("booking.confirmed", booking, minutes)], [booking])

const erased = { ...ann, email: "", name: "", metadata: {}, erasedAt: at(61) }

const wrong: ReadonlyArray<readonly [what: string, ledger: OrgSnapshot, sentence: RegExp]> = [
  // The feed.
  [
    "a gap in the event IDs",
    { ...right, events: right.events.filter(({ id }) => id !== 9) },
    /^event 10 is at the position of event 9$/
  ],
  [
    "event IDs that do not start at 1",
    { ...right, events: right.events.map((event) => ({ ...event, id: event.id + 1 })) },
    /^event 2 is at the position of event 1/
  ],
  [
    "an event that reports no change",
    after([["org.updated", orgView(org), 61]]),
    /^event 15 \(org.updated\) contains no change$/
  ],
  [
    "a change that has no event",
    storing(only("4", { notes: "changed" })),
    /^booking 4 has notes "changed", but its last event \(11\) contains "vegetarian"$/
  ],
  [
    "a session that changed without an event",
    { ...right, sessions: [{ ...morning, capacity: 9 }] },
    /^session morning has capacity 9/
  ],
  [
    "an offering that changed without an event",
    { ...right, offerings: [guiding, { ...rafting, name: "Changed" }] },
    /^offering rafting has name/
  ],
  [
    "a customer that changed without an event",
    { ...right, customers: [{ ...ann, phone: "1" }] },
    /^customer ann has phone "1"/
  ],
  [
    "an org that changed without an event",
    { ...right, org: { ...org, currency: "eur" } },
    /^org org has currency "eur"/
  ],
  [
    "a booking that has no event",
    { ...right, records: [...right.records, recordOf(seven(place(0, 1)))] },
    /^booking 7 has no event$/
  ],
  [
    "a booking that has an event but is not stored",
    after([bookingEvent("booking.confirmed", seven(place(2000, 2060)), 70)]),
    /^booking 7 has an event but is not stored$/
  ],
  [
    "a confirmed hold whose place was sold by a server with a faster clock",
    confirming(withStatus(three, confirmedState), 45),
    /^event 15 \(booking.confirmed of REF-3\): 2 of 1 spots are occupied/
  ],
  // Histories.
  [
    "an event that contains no booking",
    after([["booking.confirmed", {}, 70]]),
    /^event 15 does not contain a booking$/
  ],
  [
    "a booking whose first event is a move",
    after([bookingEvent("booking.moved", seven(place(2000, 2060)), 70)], [seven(place(2000, 2060))]),
    /never held or confirmed/
  ],
  [
    "a booking that is canceled twice",
    after([bookingEvent("booking.cancelled", withStatus(two, cancelledAt(70)), 70)], [
      withStatus(two, cancelledAt(70))
    ]),
    /REF-2\): the booking was already canceled/
  ],
  [
    "a booking that is confirmed twice",
    after([bookingEvent("booking.confirmed", { ...four, notes: "" }, 70)], [{ ...four, notes: "" }]),
    /REF-4\): the booking was already confirmed/
  ],
  [
    "a booking that is held twice",
    after([bookingEvent("booking.held", { ...three, notes: "" }, 30)], [{ ...three, notes: "" }]),
    /REF-3\): the booking was already held/
  ],
  [
    "a booking that moves without an event",
    after([bookingEvent("booking.cancelled", withStatus({ ...four, ...place(0, 60) }, cancelledAt(70)), 70)], [
      withStatus({ ...four, ...place(0, 60) }, cancelledAt(70))
    ]),
    /REF-4\): the booking moved/
  ],
  [
    "a move to the current place",
    after([bookingEvent("booking.moved", { ...oneMoved, previous: place(300, 360) }, 70)], [{
      ...oneMoved,
      previous: place(300, 360)
    }]),
    /REF-1\): the place did not change/
  ],
  [
    "a move that does not record the previous place",
    after([bookingEvent("booking.moved", { ...oneMoved, ...place(400, 460) }, 70)], [{
      ...oneMoved,
      ...place(400, 460)
    }]),
    /REF-1\): the previous field does not match the place before the move/
  ],
  [
    "a move that confirms the booking",
    after([
      bookingEvent("booking.moved", {
        ...withStatus(three, confirmedState),
        ...place(2000, 2060),
        previous: place(1000, 1060)
      }, 30)
    ], [{ ...withStatus(three, confirmedState), ...place(2000, 2060), previous: place(1000, 1060) }]),
    /REF-3\): the status changed from held to confirmed/
  ],
  [
    "a move that extends a hold",
    after([
      bookingEvent(
        "booking.moved",
        { ...withStatus(three, heldUntil(99)), ...place(2000, 2060), previous: place(1000, 1060) },
        30
      )
    ], [{ ...withStatus(three, heldUntil(99)), ...place(2000, 2060), previous: place(1000, 1060) }]),
    /the hold's expiry time changed/
  ],
  [
    "a price that changes",
    after([bookingEvent("booking.cancelled", withStatus({ ...four, totalCents: 1 }, cancelledAt(70)), 70)], [
      withStatus({ ...four, totalCents: 1 }, cancelledAt(70))
    ]),
    /total_cents changed/
  ],
  [
    "an event with a different state",
    after([bookingEvent("booking.cancelled", { ...four, notes: "" }, 70)], [{ ...four, notes: "" }]),
    /REF-4\): the status is confirmed/
  ],
  [
    "a hold without an expiry",
    after([[
      "booking.held",
      { ...bookingView(recordOf(seven(place(2000, 2060), heldUntil(99)))), expires_at: null },
      70
    ]], [seven(place(2000, 2060), heldUntil(99))]),
    /an expiry time must exist if and only if the booking is held/
  ],
  [
    "a hold that has a confirmation time",
    after([
      [
        "booking.held",
        { ...bookingView(recordOf(seven(place(2000, 2060), heldUntil(99)))), confirmed_at: Instant.format(at(70)) },
        70
      ]
    ], [seven(place(2000, 2060), heldUntil(99))]),
    /REF-7\): confirmed_at is .* instead of null$/
  ],
  [
    "a confirmed booking without a confirmation time",
    after([["booking.confirmed", { ...bookingView(recordOf(seven(place(2000, 2060)))), confirmed_at: null }, 70]], [
      seven(place(2000, 2060))
    ]),
    /REF-7\): confirmed_at is null instead of /
  ],
  [
    "a move that changes the confirmation time",
    after([[
      "booking.moved",
      {
        ...bookingView(recordOf({ ...four, ...place(2000, 2060), previous: place(1000, 1060) })),
        confirmed_at: Instant.format(at(70))
      },
      70
    ]], [{ ...four, ...place(2000, 2060), previous: place(1000, 1060) }]),
    /REF-4\): confirmed_at is .* instead of /
  ],
  [
    "an event that does not set the time of the last change",
    after([[
      "booking.cancelled",
      { ...bookingView(recordOf(withStatus(four, cancelledAt(70)))), updated_at: Instant.format(at(50)) },
      70
    ]], [withStatus(four, cancelledAt(70))]),
    /REF-4\): updated_at is .*, which is before the event$/
  ],
  [
    "a time of the last change that decreases",
    after([
      ["booking.moved", {
        ...bookingView(recordOf({ ...four, ...place(2000, 2060), previous: place(1000, 1060) })),
        updated_at: Instant.format(at(80))
      }, 70],
      bookingEvent(
        "booking.cancelled",
        withStatus({ ...four, ...place(2000, 2060), previous: place(1000, 1060) }, cancelledAt(71)),
        71
      )
    ]),
    /REF-4\): updated_at decreased$/
  ],
  [
    "a stored booking that is older than its last event",
    {
      ...right,
      records: right.records.map((record) => ({
        ...record,
        booking: { ...record.booking, ...(record.booking.id === "4" ? { updatedAt: origin } : {}) }
      }))
    },
    /^updated_at of booking REF-4 is before its last event$/
  ],
  [
    "a booking left in a canceled session",
    after([["session.cancelled", sessionView({ ...morning, status: "cancelled" }), 70]]),
    /^session morning has status/
  ],
  // Capacity.
  ["a place that is sold twice", confirming(seven(place(300, 360))), /^event 15 .*: 2 of 1 spots are occupied/],
  ["a missing buffer after a booking", confirming(seven(place(380, 440))), /2 of 1 spots/],
  ["a missing buffer before a booking", confirming(seven(place(240, 290))), /2 of 1 spots/],
  ["a live hold whose place is sold", confirming(seven(place(1000, 1060)), 70), /2 of 1 spots/],
  [
    "a session that sells more seats than it has",
    confirming(booking("7", "rafting", place(600, 720, "morning"), confirmedState, 1)),
    /4 of 3 spots/
  ],
  [
    "a move to a place that is taken",
    after([bookingEvent("booking.moved", { ...four, ...place(330, 390), previous: place(1000, 1060) }, 70)], [{
      ...four,
      ...place(330, 390),
      previous: place(1000, 1060)
    }]),
    /REF-4\): 2 of 1 spots/
  ],
  [
    "an expired hold that is confirmed although its place is taken",
    after([bookingEvent("booking.confirmed", withStatus(three, confirmedState), 70)], [
      withStatus(three, confirmedState)
    ]),
    /REF-3\): 2 of 1 spots/
  ],
  [
    "an oversold place, even if the booking is canceled later",
    after([
      bookingEvent("booking.confirmed", seven(place(300, 360)), 70),
      bookingEvent("booking.cancelled", withStatus(seven(place(300, 360)), cancelledAt(71)), 71)
    ], [withStatus(seven(place(300, 360)), cancelledAt(71))]),
    /^event 15 .*2 of 1 spots/
  ],
  [
    "a sale beyond a lowered capacity",
    after([
      ["offering.updated", offeringView({ ...rafting, capacity: 2 }), 69],
      bookingEvent("booking.confirmed", booking("7", "rafting", place(600, 720, "morning"), confirmedState), 70)
    ], [booking("7", "rafting", place(600, 720, "morning"), confirmedState)]),
    /4 of 2 spots/
  ],
  // Uniqueness and references.
  [
    "a reference that is used twice",
    storing(only("4", { reference: "REF-1" })),
    /^two bookings have the reference REF-1$/
  ],
  [
    "an idempotency key that is used twice",
    storing(only("4", { idempotency: { key: "key-1", fingerprint: "" } })),
    /^two bookings were made with the key key-1$/
  ],
  [
    "an email address of two customers",
    { ...right, customers: [ann, { ...ann, id: "anna" }] },
    /^two customers have the email address ann@a.co$/
  ],
  ["a row of another org", { ...right, sessions: [{ ...morning, orgId: "other" }] }, /^morning belongs to other$/],
  [
    "a booking whose customer does not exist",
    storing(only("4", { customerId: "missing" })),
    /references a customer that does not exist$/
  ],
  [
    "a booking whose offering does not exist",
    storing(only("4", { offeringId: "nothing" })),
    /references an offering that does not exist$/
  ],
  [
    "a booking whose session does not exist",
    storing(only("4", { sessionId: "nowhere" })),
    /references a session that does not exist$/
  ],
  // Erasure.
  [
    "an erased guest who still has a name",
    { ...right, customers: [{ ...erased, name: "Ann" }] },
    /^customer ann is erased but still has name$/
  ],
  [
    "notes about an erased guest",
    { ...right, customers: [erased] },
    /^booking REF-4 of an erased guest still has notes$/
  ],
  [
    "an event about an erased guest",
    { ...right, customers: [erased] },
    /^event 5 about an erased guest still has email$/
  ],
  [
    "an event with metadata of an erased guest",
    { ...right, customers: [erased] },
    /^event 4 about an erased guest still has metadata$/
  ]
]

describe("invariants", () => {
  it("hold for a correct ledger", () => {
    assert.deepStrictEqual(findViolations(right), [])
  })

  it("allow changed limits, and a new booking in place of an expired hold", () => {
    const snapshot = after([
      ["offering.updated", offeringView({ ...guiding, bufferMinutes: 600 }), 70],
      ["offering.updated", offeringView({ ...rafting, capacity: 1 }), 70],
      bookingEvent("booking.confirmed", seven(place(5000, 5060)), 70)
    ], [seven(place(5000, 5060))])
    assert.deepStrictEqual(
      findViolations({ ...snapshot, offerings: [{ ...guiding, bufferMinutes: 600 }, { ...rafting, capacity: 1 }] }),
      []
    )
  })

  it("detect a booking in a canceled session or for a deleted offering", () => {
    const cancelledSession: Session = { ...morning, status: "cancelled" }
    assert.include(
      findViolations({
        ...after([["session.cancelled", sessionView(cancelledSession), 70]]),
        sessions: [cancelledSession]
      }),
      "booking REF-5 is confirmed in a canceled session"
    )
    const deleted = { ...guiding, deletedAt: at(70) }
    assert.include(
      findViolations({ ...after([["offering.deleted", offeringView(deleted), 70]]), offerings: [deleted, rafting] }),
      "booking REF-1 is confirmed, but its offering is deleted"
    )
  })

  it.each(wrong)("detect %s", (_what, ledger, sentence) => {
    const messages = findViolations(ledger)
    assert.isTrue(messages.some((violation) => sentence.test(violation)), `other violations: ${messages.join("; ")}`)
  })
})
