import { sources } from "@trailbook/core/actor/Actor"
import { type BookingRecord, bookingView } from "@trailbook/core/booking/BookingView"
import {
  type CreateBookingFacts,
  type CreateBookingRequest,
  maxWalkInDelayMinutes
} from "@trailbook/core/booking/createBooking"
import * as BatchState from "@trailbook/core/booking/write/BatchState"
import type { GeneratedIds } from "@trailbook/core/booking/write/BookingRequest"
import { decideCreate } from "@trailbook/core/booking/write/decideCreate"
import { toOccupancyQuery } from "@trailbook/core/booking/write/occupancy"
import * as Customer from "@trailbook/core/customer/Customer"
import { toSearchTerms } from "@trailbook/core/customer/customerSearch"
import * as Offering from "@trailbook/core/offering/Offering"
import * as Org from "@trailbook/core/org/Org"
import type { Session } from "@trailbook/core/session/Session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import { parseEmailAddress } from "@trailbook/core/wire/addresses"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { daily } from "../generators/hours.ts"
import { makeOrder } from "../world/order.ts"

const now = Instant.make(Date.parse("2027-05-01T12:00:00Z"))
const startsAt = Instant.make(Date.parse("2027-05-03T00:00:00Z"))
const zone = Zone.get("UTC")
const draw: GeneratedIds = {
  bookingId: "b",
  customerId: "new",
  reference: "ABCDEFGH",
  handle: "h",
  checkInToken: "t",
  paymentId: "p",
  taskIds: ["e", "o", "c"]
}

/** The stored rows that a decision depends on, and the place's occupancy. */
interface Facts extends Omit<CreateBookingFacts, "customer"> {
  readonly customer: Customer.Customer | undefined
  readonly sameKey: BookingRecord | undefined
}

interface CreatedBooking extends BookingRecord {
  readonly _tag: "Made"
  readonly customerChanged: boolean
}

/** Decides a create command with these facts, the same way the writer does in a batch of one. */
const createBooking = (create: CreateBookingRequest, ids: GeneratedIds, { customer, sameKey, ...facts }: Facts) => {
  const state = BatchState.make({
    now: facts.now,
    orgs: new Map([["org", facts]]),
    offerings: facts.offering === undefined ? [] : [facts.offering],
    sessions: facts.session === undefined ? [] : [facts.session],
    customers: customer === undefined ? [] : [customer],
    existingByKey: sameKey === undefined ? [] : [sameKey],
    bookings: [],
    payments: [],
    unproven: [],
    closures: facts.closures,
    discounts: [],
    discountUses: []
  })
  const query = toOccupancyQuery(state, { create })
  const { booked: seats, bookedSpans } = { booked: 0, bookedSpans: [], ...facts.use }
  return Either.map(
    decideCreate(state, { create, ids }, query && { query, seats, bookedSpans, lapsedAt: null }),
    (record): CreatedBooking | { readonly _tag: "Repeated"; readonly record: BookingRecord } =>
      state.changed.bookings.size === 0
        ? { _tag: "Repeated", record }
        : { _tag: "Made", ...record, customerChanged: state.changed.customers.size > 0 }
  )
}

const offeringOf = (
  kind: Offering.OfferingKind,
  settings: Partial<Offering.OfferingSettings> = {}
): Offering.Offering => ({
  ...Offering.make({
    id: "o",
    orgId: "org",
    kind,
    name: "Raft",
    createdAt: now,
    capacity: 10_000,
    maxPerBooking: 10_000,
    ...settings
  }),
  hours: kind === "class" ? [] : daily(0, 86_400)
})

const session: Session = {
  id: "s",
  orgId: "org",
  offeringId: "o",
  startsAt,
  endsAt: Instant.addMinutes(startsAt, 120),
  capacity: null,
  status: "scheduled",
  notes: "",
  createdAt: now,
  judgedAt: Instant.make(0)
}

const factsOf = (offering: Offering.Offering, facts: Partial<Facts> = {}): Facts => {
  const isClass = offering.kind === "class"
  return {
    now,
    closures: [],
    org: Org.make({ id: "org", name: "Org", slug: "org", timezone: "UTC", createdAt: now }),
    zone,
    offering,
    session: isClass ? session : undefined,
    use: isClass ? { session, booked: 0 } : { bookedSpans: [] },
    customer: undefined,
    sameKey: undefined,
    ...facts
  }
}

const orderOf = ({ kind }: Offering.Offering, order: Partial<CreateBookingRequest> = {}): CreateBookingRequest =>
  makeOrder({ offeringId: "o", ...kind === "class" ? { sessionId: "s" } : { startsAt }, ...order })

const getCreated = (answer: ReturnType<typeof createBooking>): CreatedBooking => {
  const outcome = Either.getOrThrow(answer)
  if (outcome._tag !== "Made") throw new Error("The booking already existed.")
  return outcome
}

const refusal = (answer: ReturnType<typeof createBooking>): string =>
  Either.match(answer, {
    onLeft: (left) => left._tag === "Refusal" ? `${left.code} ${left.message.split(":")[0]}` : left._tag,
    onRight: () => "made"
  })

const kind = FastCheck.constantFrom(...Offering.offeringKinds)
const holdMinutes = FastCheck.constantFrom(undefined, 5, 29, 30, 31, 1440)

describe("a new booking", () => {
  it("gets its price from the offering and keeps it", () => {
    const priceCents = FastCheck.oneof(FastCheck.constantFrom(0, 10_000_000_000), FastCheck.nat(100_000))
    const quantity = FastCheck.oneof(FastCheck.integer({ min: 1, max: 20 }), FastCheck.constant(10_000))
    FastCheck.assert(
      FastCheck.property(
        kind,
        priceCents,
        quantity,
        FastCheck.integer({ min: 1, max: 60 }),
        (kind, priceCents, quantity, n) => {
          const offering = offeringOf(kind, { priceCents, maxPeriods: 60 })
          const periods = kind === "rental" ? n : undefined
          const { booking } = getCreated(
            createBooking(orderOf(offering, { quantity, periods }), draw, factsOf(offering))
          )
          const units = { class: quantity, appointment: 1, rental: quantity * (periods ?? 1) }
          expect(BigInt(booking.totalCents)).toBe(BigInt(priceCents) * BigInt(units[kind]))
          expect(Number.isSafeInteger(booking.totalCents)).toBe(true)
          expect(booking).toMatchObject({ quantity, periods: periods ?? 1, periodMinutes: offering.durationMinutes })
        }
      ),
      { numRuns: 300 }
    )
  })

  it("requires online payment only with a price, pro plan, and provider", () => {
    const world = FastCheck.record({
      kind,
      plan: FastCheck.constantFrom(...Org.plans),
      payments: FastCheck.boolean(),
      priceCents: FastCheck.constantFrom(0, 1, 5000),
      source: FastCheck.constantFrom(...sources),
      holdMinutes
    })
    FastCheck.assert(
      FastCheck.property(world, ({ holdMinutes, kind, payments, plan, priceCents, source }) => {
        const offering = offeringOf(kind, { priceCents })
        const org = { ...factsOf(offering).org, plan }
        const { booking } = getCreated(
          createBooking(
            orderOf(offering, {
              source,
              holdMinutes,
              connected: payments ? { provider: "till", connection: null } : null
            }),
            draw,
            factsOf(offering, { org })
          )
        )
        const mustPay = plan === "pro" && payments && priceCents > 0 &&
          ["widget", "api", "mcp"].some((one) => one === source)
        // The longer hold applies.
        const minutes = [mustPay ? 30 : undefined, holdMinutes].filter((one) => one !== undefined)
        expect(booking).toMatchObject(
          minutes.length === 0
            ? { status: "confirmed" }
            : {
              status: "held",
              expiresAt: now + Math.max(...minutes) * 60_000,
              paymentDue: mustPay,
              checkoutUrl: null
            }
        )
        expect(booking).toMatchObject({ source, paidAt: null, paymentIntentId: null, previous: null, createdAt: now })
      }),
      { numRuns: 500 }
    )
  })

  it("is held only if the guest must pay or confirm by email", () => {
    const world = FastCheck.record({
      kind,
      confirmEmail: FastCheck.boolean(),
      payments: FastCheck.boolean(),
      priceCents: FastCheck.constantFrom(0, 5000),
      source: FastCheck.constantFrom(...(["widget", "mcp"] as const)),
      isVisitor: FastCheck.boolean()
    })
    FastCheck.assert(
      FastCheck.property(world, ({ confirmEmail, isVisitor, kind, payments, priceCents, source }) => {
        const offering = offeringOf(kind, { priceCents })
        const org = { ...factsOf(offering).org, plan: "pro" as const, confirmEmail }
        const connected = payments ? { provider: "till", connection: null } : null
        const visitor = isVisitor ? { network: null, language: "es" as const } : undefined
        const { booking } = getCreated(
          createBooking(orderOf(offering, { source, connected, visitor }), draw, factsOf(offering, { org }))
        )
        const mustPay = payments && priceCents > 0
        const mustConfirm = isVisitor && !mustPay && (confirmEmail || source === "mcp")
        expect(booking.status).toBe(mustPay || mustConfirm ? "held" : "confirmed")
        expect(booking.unproven?.confirmIn ?? null).toBe(mustConfirm ? "es" : null)
      }),
      { numRuns: 200 }
    )
  })

  it("checks the payment provider only if money may be due", () => {
    const world = FastCheck.record({
      kind,
      plan: FastCheck.constantFrom(...Org.plans),
      priceCents: FastCheck.constantFrom(0, 1, 5000),
      source: FastCheck.constantFrom(...sources),
      isFull: FastCheck.boolean()
    })
    FastCheck.assert(
      FastCheck.property(world, ({ isFull, kind, plan, priceCents, source }) => {
        const offering = offeringOf(kind, { priceCents, capacity: isFull ? 0 : 1 })
        const org = { ...factsOf(offering).org, plan }
        const answer = refusal(createBooking(orderOf(offering, { source }), draw, factsOf(offering, { org })))
        const mayBeDue = plan === "pro" && priceCents > 0 && source !== "dashboard"
        expect(answer.split(" ")[0]).toBe(isFull ? "slot_full" : mayBeDue ? "PaymentStatusRequired" : "made")
      })
    )
  })

  it("contains the generated reference and the requested place", () => {
    for (const kind of Offering.offeringKinds) {
      const offering = offeringOf(kind)
      const { booking } = getCreated(createBooking(orderOf(offering, { notes: "knee" }), draw, factsOf(offering)))
      const { bookingId: id, checkInToken, handle, reference } = draw
      expect(booking).toMatchObject({
        id,
        checkInToken,
        handle,
        reference,
        notes: "knee",
        startsAt,
        orgId: "org",
        offeringId: "o"
      })
      expect(booking.sessionId).toBe(kind === "class" ? "s" : null)
    }
  })

  it("updates its offering's longest booking span, except for classes", () => {
    FastCheck.assert(
      FastCheck.property(kind, FastCheck.nat(3 * 86_400_000), (kind, longestBookingMs) => {
        const offering = { ...offeringOf(kind), longestBookingMs }
        const { booking, offering: after } = getCreated(createBooking(orderOf(offering), draw, factsOf(offering)))
        const length = booking.endsAt - booking.startsAt
        const longest = kind === "class" ? longestBookingMs : Math.max(longestBookingMs, length)
        expect(after).toEqual({ ...offering, longestBookingMs: longest })
      })
    )
  })
})

describe("an invalid booking request", () => {
  const rental = offeringOf("rental", { maxPerBooking: 3, maxPeriods: 2 })
  const appointment = offeringOf("appointment", { maxPerBooking: 3 })
  const lesson = offeringOf("class", { maxPerBooking: 3 })
  const paused = { active: false }
  const ann = Customer.make({ id: "c", orgId: "org", email: "ann@a.co", createdAt: now })

  it.each<[string, Offering.Offering, Partial<CreateBookingRequest>, Partial<Facts>, string]>([
    [
      "an offering that does not exist",
      rental,
      {},
      { offering: undefined },
      "not_found The offering o does not exist."
    ],
    ["a deleted offering", { ...rental, deletedAt: now }, {}, {}, "not_found The offering o does not exist."],
    ["more items than the limit per booking", rental, { quantity: 4 }, {}, "invalid_request quantity"],
    ["a party that is too large", appointment, { quantity: 4 }, {}, "invalid_request quantity"],
    ["more seats than the limit per booking", lesson, { quantity: 4 }, {}, "invalid_request quantity"],
    ["more periods than the limit per rental", rental, { periods: 3 }, {}, "invalid_request periods"],
    ["an appointment with periods", appointment, { periods: 1 }, {}, "invalid_request periods"],
    ["a class with periods", lesson, { periods: 1 }, {}, "invalid_request periods"],
    ["a class with a start time instead of a session", lesson, { startsAt }, {}, "invalid_request starts_at"],
    ["a class without a session", lesson, { sessionId: undefined }, {}, "invalid_request session_id"],
    ["a session that does not exist", lesson, {}, { session: undefined }, "not_found The session s does not exist."],
    [
      "a session of another class",
      lesson,
      {},
      { session: { ...session, offeringId: "other" } },
      "not_found The session s does not exist."
    ],
    [
      "an appointment with a session instead of a start time",
      appointment,
      { sessionId: "s", startsAt: undefined },
      {},
      "invalid_request session_id"
    ],
    ["a rental with a session and a start time", rental, { sessionId: "s" }, {}, "invalid_request session_id"],
    ["an appointment without a start", appointment, { startsAt: undefined }, {}, "invalid_request starts_at"],
    ["a rental without a start", rental, { startsAt: undefined }, {}, "invalid_request starts_at"],
    [
      "a paused offering",
      { ...rental, ...paused },
      {},
      {},
      "offering_paused This offering is paused and cannot be booked."
    ],
    [
      "a paused class",
      { ...lesson, ...paused },
      {},
      {},
      "offering_paused This offering is paused and cannot be booked."
    ],
    [
      "a canceled session",
      lesson,
      {},
      { session: { ...session, status: "cancelled" } },
      "session_cancelled This session was canceled."
    ],
    [
      "a start time in the past",
      rental,
      { startsAt: Instant.addMinutes(now, -720) },
      {},
      "slot_unavailable This time is in the past."
    ],
    [
      "a guest who does not exist",
      rental,
      { customerId: "c", contact: undefined },
      {},
      "not_found The customer c does not exist."
    ],
    [
      "an erased guest",
      rental,
      { customerId: "c", contact: undefined },
      { customer: { ...ann, erasedAt: now } },
      "customer_erased This customer's data was erased. A new booking with the same email address creates a new customer."
    ]
  ])("is rejected for %s", (_, offering, order, facts, expected) => {
    expect(refusal(createBooking(orderOf(offering, order), draw, factsOf(offering, facts)))).toBe(expected)
  })

  it("returns the existing booking with the same idempotency key", () => {
    const { booking, customer, offering } = getCreated(createBooking(orderOf(rental), draw, factsOf(rental)))
    const sameKey = { booking, customer, offering }
    for (
      const facts of [{ sameKey }, { sameKey, offering: undefined }, {
        sameKey,
        use: { bookedSpans: [{ ...booking, bookings: 9, quantity: 20_000 }] }
      }]
    ) {
      expect(createBooking(orderOf(rental), draw, factsOf(rental, facts))).toEqual(
        Either.right({ _tag: "Repeated", record: sameKey })
      )
      const other = orderOf(rental, { idempotency: { key: "key", fingerprint: "other" } })
      expect(refusal(createBooking(other, draw, factsOf(rental, facts)))).toMatch(/^idempotency_conflict/)
    }
  })
})

describe("a booking's guest", () => {
  const text = FastCheck.constantFrom(undefined, "", "Ann", "Beth")
  const contact = FastCheck.record({ name: text, phone: text }).map(({ name, phone }): Customer.ContactDetails => ({
    email: "ann@a.co",
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone })
  }))
  const knownCustomer = FastCheck.record({
    name: FastCheck.constantFrom("", "Ann", "Cat"),
    phone: FastCheck.constantFrom("", "1")
  })
    .map((fields) =>
      Customer.make({
        id: "known",
        orgId: "org",
        email: "ann@a.co",
        createdAt: now,
        notes: "vip",
        metadata: { a: 1 },
        ...fields
      })
    )
  const rental = offeringOf("rental")

  it("is updated with only the given contact fields", () => {
    FastCheck.assert(
      FastCheck.property(knownCustomer, contact, (customer, contact) => {
        const answer = getCreated(createBooking(orderOf(rental, { contact }), draw, factsOf(rental, { customer })))
        const name = contact.name === undefined || contact.name === "" ? customer.name : contact.name
        const phone = contact.phone === undefined || contact.phone === "" ? customer.phone : contact.phone
        expect(answer.customer).toEqual({ ...customer, name, phone })
        expect(answer.customerChanged).toBe(name !== customer.name || phone !== customer.phone)
        expect(answer.booking.customerId).toBe("known")
      })
    )
  })

  it("is created if the email address is new", () => {
    FastCheck.assert(
      FastCheck.property(contact, (contact) => {
        const { booking, customer, customerChanged } = getCreated(
          createBooking(orderOf(rental, { contact }), draw, factsOf(rental))
        )
        expect(customer).toEqual({
          id: "new",
          orgId: "org",
          email: "ann@a.co",
          name: contact.name ?? "",
          phone: contact.phone ?? "",
          notes: "",
          metadata: {},
          createdAt: now,
          provenAt: null,
          unprovenMails: [],
          erasedAt: null
        })
        expect({ customerChanged, by: booking.customerId }).toEqual({ customerChanged: true, by: "new" })
      })
    )
  })

  it("is unchanged if referenced by ID", () => {
    FastCheck.assert(
      FastCheck.property(knownCustomer, (customer) => {
        const order = orderOf(rental, { customerId: "known", contact: undefined })
        const answer = getCreated(createBooking(order, draw, factsOf(rental, { customer })))
        expect(answer).toMatchObject({ customer, customerChanged: false })
        expect(answer.booking.customerId).toBe("known")
      })
    )
  })
})

describe("a walk-in", () => {
  const settings = FastCheck.record({
    minNoticeMinutes: FastCheck.nat({ max: 10_000 }),
    maxAdvanceDays: FastCheck.integer({ min: 1, max: 730 }),
    active: FastCheck.boolean(),
    priceCents: FastCheck.nat({ max: 10_000 })
  })

  /** Books a four-seat session that has some seats already booked and starts the given number of minutes from now. */
  const bookAt = (
    settings: Partial<Offering.OfferingSettings>,
    minutes: number,
    bookedSeats: number,
    order: Partial<CreateBookingRequest>
  ) => {
    const offering = offeringOf("class", { ...settings, capacity: 4 })
    const start = Instant.addMinutes(now, minutes)
    const movedSession = { ...session, startsAt: start, endsAt: Instant.addMinutes(start, 120) }
    const facts = factsOf(offering, { session: movedSession, use: { session: movedSession, booked: bookedSeats } })
    return createBooking(orderOf(offering, order), draw, { ...facts, org: { ...facts.org, plan: "pro" } })
  }
  const walkIn = { isWalkIn: true, contact: { email: "", name: "Ann" } }

  it("is confirmed without payment until 60 minutes after the start", () => {
    FastCheck.assert(FastCheck.property(
      settings,
      FastCheck.oneof(
        FastCheck.integer({ min: -2 * maxWalkInDelayMinutes, max: 2 * maxWalkInDelayMinutes }),
        FastCheck.integer({ min: 0, max: 3000 * 1440 })
      ),
      FastCheck.nat({ max: 4 }),
      (settings, minutes, bookedSeats) => {
        const booking = bookAt(settings, minutes, bookedSeats, walkIn)
        expect(Either.isRight(booking)).toBe(settings.active && minutes >= -maxWalkInDelayMinutes && bookedSeats < 4)
        if (Either.isRight(booking)) expect(getCreated(booking).booking.status).toBe("confirmed")
      }
    ))
  })

  it("skips the notice period and the horizon only if marked as a walk-in", () => {
    FastCheck.assert(
      FastCheck.property(settings, FastCheck.integer({ min: -120, max: 3000 * 1440 }), (settings, minutes) => {
        const { maxAdvanceDays, minNoticeMinutes } = settings
        const startsAt = Instant.addMinutes(now, minutes)
        const days = Math.floor(startsAt / 86_400_000) - Math.floor(now / 86_400_000)
        const isOpen = minutes >= minNoticeMinutes && days <= maxAdvanceDays
        expect(Either.isRight(bookAt(settings, minutes, 0, { connected: null }))).toBe(settings.active && isOpen)
      })
    )
  })

  it("assigns its guest a hidden placeholder email", () => {
    const settings = { minNoticeMinutes: 0, maxAdvanceDays: 1, active: true, priceCents: 0 }
    FastCheck.assert(FastCheck.property(FastCheck.uuid(), (id) => {
      const email = Customer.makePlaceholderEmail(id)
      expect(Customer.getContactEmail({ email })).toBe("")
      expect(parseEmailAddress(email.toUpperCase())).toBeUndefined()
      expect(toSearchTerms({ email, name: "", phone: "" })).toEqual([])
    }))
    const record = getCreated(bookAt(settings, 0, 0, walkIn))
    expect(record.customer.email).toBe(Customer.makePlaceholderEmail("new"))
    expect(bookingView(record).customer.email).toBe("")
  })
})
