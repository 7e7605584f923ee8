import { bookingView } from "@trailbook/core/booking/BookingView"
import { withoutPerson } from "@trailbook/core/booking/Erasures"
import * as Customer from "@trailbook/core/customer/Customer"
import { customerEvent } from "@trailbook/core/customer/Customers"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { booking, moment, recordWith } from "../generators/booking.ts"

const canary = "canary"

/** Text that the person left somewhere, in any field. */
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

const customerData = customer.map((customer) => customerEvent(customer, "customer.updated", customer.createdAt).data)

const bookingData = FastCheck.tuple(booking, customer, words, metadata).map(([booking, customer, notes, metadata]) =>
  bookingView({
    ...recordWith({ ...booking, notes, metadata, customerId: customer.id }),
    customer: { id: customer.id, name: customer.name, email: customer.email, phone: customer.phone }
  })
)

const stored = FastCheck.oneof(customerData, bookingData)

const fieldsOf = (data: unknown): Record<string, unknown> => ({ ...(typeof data === "object" ? data : {}) })

describe("a stored event of an erased guest", () => {
  it("holds nothing of the person any more", () => {
    FastCheck.assert(
      FastCheck.property(stored, (data) => {
        expect(JSON.stringify(data)).toContain(canary)
        expect(JSON.stringify(withoutPerson(data))).not.toContain(canary)
      }),
      { numRuns: 500 }
    )
  })

  it("keeps its shape and all that is not personal: ids, times, price, place and the offering's name", () => {
    const personal = new Set(["email", "name", "phone", "notes", "metadata", "customer"])
    FastCheck.assert(
      FastCheck.property(stored, (data) => {
        const [before, after] = [fieldsOf(data), fieldsOf(withoutPerson(data))]
        expect(Object.keys(after)).toEqual(Object.keys(before))
        for (const [key, value] of Object.entries(before)) {
          if (!personal.has(key)) expect(after[key]).toEqual(value)
        }
        if ("customer" in before) {
          expect(after["customer"]).toEqual({ id: fieldsOf(before["customer"])["id"], name: "", email: "", phone: "" })
        }
        for (const key of ["email", "name", "phone", "notes"]) if (key in before) expect(after[key]).toBe("")
        expect(after["metadata"]).toEqual({})
      }),
      { numRuns: 500 }
    )
  })

  it("erased twice is erased once", () => {
    FastCheck.assert(
      FastCheck.property(stored, (data) => {
        expect(withoutPerson(withoutPerson(data))).toEqual(withoutPerson(data))
      })
    )
  })
})
