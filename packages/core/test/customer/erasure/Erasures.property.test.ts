import type { Booking } from "@trailbook/core/booking/Booking"
import { bookingView } from "@trailbook/core/booking/BookingView"
import * as Message from "@trailbook/core/conversation/message/Message"
import { makeMessageEvent } from "@trailbook/core/conversation/message/MessageView"
import * as Customer from "@trailbook/core/customer/Customer"
import { makeCustomerEvent } from "@trailbook/core/customer/Customers"
import { redactEvent } from "@trailbook/core/customer/erasure/CustomerErasure"
import { eventDefinitions } from "@trailbook/core/event/Events"
import { type LedgerEntry, makePaymentEvent } from "@trailbook/core/payment/ledger/LedgerEntry"
import * as Field from "@trailbook/core/wire/Field"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { booking, moment, recordWith } from "../../generators/booking.ts"

const canary = "canary"

/** Guest data, which can be in any field. */
const words = FastCheck.constantFrom(canary, `a ${canary} b`, `${canary}@a.co`)
const metadata = FastCheck.constantFrom({ [canary]: 1 }, { a: [{ b: canary }] }, { a: { b: { c: canary } } }, {})

const customer = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.uuid(),
  email: words,
  createdAt: moment,
  name: words,
  phone: words,
  notes: words,
  metadata
}).map(Customer.make)

const customerEvents = customer.map((customer) => makeCustomerEvent(customer, "customer.updated", customer.createdAt))

/** Returns a price whose adjustment has the given name. */
const adjusted = (name: string): Booking["price"] => ({
  party: [],
  extras: [],
  lines: [{
    kind: "adjustment",
    id: "1",
    name,
    quantity: 1,
    unit_cents: 1,
    total_cents: 1,
    discount_cents: 0,
    tax: false,
    included: false
  }],
  terms: { kind: "class", price_cents: 0, pricing: null, fees: [], discount: null }
})

const bookingEvents = FastCheck.tuple(booking, customer, words, metadata).map((
  [booking, customer, notes, metadata]
) => ({
  type: "booking.moved",
  data: bookingView({
    ...recordWith({
      ...booking,
      notes,
      staffNotes: notes,
      price: adjusted(notes),
      metadata,
      customerId: customer.id
    }),
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  })
}))

const messageEvents = FastCheck.tuple(words, words, FastCheck.option(words), moment).map(
  ([body, subject, fromName, createdAt]) =>
    makeMessageEvent(
      Message.make({
        id: "m",
        orgId: "o",
        conversationId: "v",
        customerId: "c",
        direction: "to_outfitter",
        sentBy: "guest",
        channel: "email",
        body,
        subject,
        fromName,
        fromEmail: fromName,
        createdAt
      }),
      [{ id: "f", name: body, size: 1, type: "image/jpeg" }]
    )
)

const paymentEvents = FastCheck.tuple(booking, words).map(([booking, note]) => {
  const { createdAt, currency, id: bookingId, orgId } = booking
  const entry: LedgerEntry = {
    id: "e",
    orgId,
    bookingId,
    kind: "payment",
    method: "cash",
    cents: 100,
    currency,
    refundOf: null,
    reason: null,
    status: "done",
    note,
    connection: null,
    recordedBy: { kind: "staff", id: "s", name: "Ana" },
    createdAt,
    doneAt: createdAt
  }
  return makePaymentEvent("payment.created", entry, booking, createdAt)
})

const storedEvent = FastCheck.oneof(customerEvents, bookingEvents, messageEvents, paymentEvents)

const fieldsOf = (data: unknown): Record<string, unknown> => ({ ...(typeof data === "object" ? data : {}) })

describe("an erased guest's event", () => {
  it("contains no personal data", () => {
    FastCheck.assert(
      FastCheck.property(storedEvent, (event) => {
        expect(JSON.stringify(event.data)).toContain(canary)
        expect(JSON.stringify(redactEvent(event))).not.toContain(canary)
      }),
      { numRuns: 500 }
    )
  })

  it("keeps all nonpersonal data", () => {
    const personal = new Set([
      "email",
      "name",
      "phone",
      "notes",
      "staff_notes",
      "note",
      "metadata",
      "adjustments",
      "customer",
      "subject",
      "body",
      "attachments",
      "from_name",
      "from_email"
    ])
    FastCheck.assert(
      FastCheck.property(storedEvent, (event) => {
        const [before, after] = [fieldsOf(event.data), fieldsOf(redactEvent(event))]
        expect(Object.keys(after)).toEqual(Object.keys(before))
        for (const [key, value] of Object.entries(before)) {
          if (!personal.has(key)) expect(after[key]).toEqual(value)
        }
        if ("customer" in before) {
          expect(after["customer"]).toEqual({ id: fieldsOf(before["customer"])["id"], name: "", email: "", phone: "" })
        }
        for (const key of ["email", "name", "phone", "notes", "staff_notes", "note"]) {
          if (key in before) expect(after[key]).toBe("")
        }
        if ("adjustments" in before) expect(after["adjustments"]).toEqual([{ name: "", cents: 1 }])
        if ("metadata" in before) expect(after["metadata"]).toEqual({})
        for (const key of ["subject", "body"]) if (key in before) expect(after[key]).toBe("")
        if ("attachments" in before) expect(after["attachments"]).toEqual([])
      }),
      { numRuns: 500 }
    )
  })

  it("is unchanged by a second erasure", () => {
    FastCheck.assert(
      FastCheck.property(storedEvent, (event) => {
        expect(redactEvent({ type: event.type, data: redactEvent(event) })).toEqual(redactEvent(event))
      })
    )
  })

  it("loses all data if its type is unknown", () => {
    expect(redactEvent({ type: "booking.renamed", data: { guest: canary } })).toEqual({})
  })
})

describe("the personal fields", () => {
  /** Finds schema fields that can contain free text or arbitrary objects, and therefore a guest's data. */
  const open = (ast: AST.AST, path = ""): ReadonlyArray<string> => {
    if (AST.isTypeLiteral(ast) && ast.propertySignatures.length > 0) {
      return ast.propertySignatures.flatMap(({ name, type }) => open(type, `${path}.${String(name)}`))
    }
    if (AST.isUnion(ast)) return ast.types.flatMap((type) => open(type, path))
    if (AST.isTupleType(ast)) return ast.rest.flatMap(({ type }) => open(type, `${path}[]`))
    const { format } = Field.toJsonSchema(Schema.make(ast))
    return AST.isStringKeyword(ast) && format === undefined || AST.isTypeLiteral(ast) ? [path] : []
  }
  const isEmptied = (path: string, { type }: (typeof eventDefinitions)[number]): boolean => {
    const filledData = path.split(".").slice(1).reduceRight(
      (value: unknown, name) => name.endsWith("[]") ? { [name.slice(0, -2)]: [value] } : { [name]: value },
      canary
    )
    return !JSON.stringify(redactEvent({ type, data: filledData })).includes(canary)
  }

  it.each(
    eventDefinitions.filter(({ type }) => /^(booking|customer|message|payment)\./.test(type)).map((event) =>
      [event.type, event] as const
    )
  )(
    "include all text in %s that can come from a guest",
    (_, event) => {
      const keptPaths = open(event.data.ast).filter((path) => !isEmptied(path, event))
      const expectedPaths = event.type.startsWith("booking.")
        ? [
          ".currency",
          ".reference",
          ".handle",
          ".checkout_url",
          ".payment_intent_id",
          // The ID and the name of a staff member, key, or application.
          ".attendance.by.id",
          ".attendance.by.name",
          ".check_in_url",
          // IDs and names that the outfitter chose for rates, extras, fees, and discount codes.
          ".party[].rate_id",
          ".extras[].extra_id",
          ".lines[].id",
          ".lines[].name",
          ".cancellation_policy.text",
          ".discount_code",
          ".offering.name"
        ]
        : event.type.startsWith("payment.")
        ? [".currency", ".recorded_by.id", ".recorded_by.name", ".booking.reference"]
        : []
      expect(keptPaths).toEqual(expectedPaths)
    }
  )
})
