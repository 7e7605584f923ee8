import type * as Customer from "@trailbook/core/customer/Customer"
import {
  type CustomerCommand,
  customerDecider,
  type CustomerEvent,
  customerView
} from "@trailbook/core/customer/Customer"
import { makeCustomerEvent } from "@trailbook/core/customer/Customers"
import * as Decider from "@trailbook/core/Decider"
import type { Refusal } from "@trailbook/core/Refusal"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { moment } from "../generators/booking.ts"
import { metadata } from "../generators/metadata.ts"
import { text } from "../generators/text.ts"

const patch: FastCheck.Arbitrary<Customer.CustomerPatch> = FastCheck.record(
  { name: text(10), phone: text(10), notes: text(10), metadata },
  { requiredKeys: [] }
)

const customer: FastCheck.Arbitrary<Customer.Customer> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.uuid(),
  email: FastCheck.constantFrom("ann@a.co", "bob@a.co"),
  name: text(10),
  phone: text(10),
  notes: text(10),
  metadata,
  createdAt: moment,
  provenAt: FastCheck.constant(null),
  unprovenMails: FastCheck.constant([]),
  erasedAt: FastCheck.constant(null)
})

const command: FastCheck.Arbitrary<CustomerCommand> = FastCheck.oneof(
  { weight: 4, arbitrary: patch.map((patch) => ({ _tag: "Edit" as const, patch })) },
  { weight: 1, arbitrary: moment.map((now) => ({ _tag: "Erase" as const, now })) }
)

const run = (customer: Customer.Customer, command: CustomerCommand) => {
  const decision: Either.Either<Decider.Decision<Customer.Customer, CustomerEvent>, Refusal> = Decider.run(
    customerDecider
  )(customer, command)
  return decision
}

describe("a customer", () => {
  it("is updated with only the given fields", () => {
    FastCheck.assert(
      FastCheck.property(customer, patch, (customer, patch) => {
        const { events, state } = Either.getOrThrow(run(customer, { _tag: "Edit", patch }))
        expect(state).toEqual({ ...customer, ...patch })
        const isSame = JSON.stringify({ ...customer, ...patch }) === JSON.stringify(customer)
        expect(events).toHaveLength(isSame ? 0 : 1)
        expect(Either.getOrThrow(run(state, { _tag: "Edit", patch })).events).toEqual([])
      }),
      { numRuns: 500 }
    )
  })

  it("keeps only its IDs and timestamps when it is erased", () => {
    FastCheck.assert(
      FastCheck.property(customer, moment, patch, (customer, now, patch) => {
        const { events, state } = Either.getOrThrow(run(customer, { _tag: "Erase", now }))
        const { createdAt, id, orgId } = customer
        const empty = { email: "", name: "", phone: "", notes: "", metadata: {}, provenAt: null, unprovenMails: [] }
        expect(state).toEqual({ id, orgId, createdAt, ...empty, erasedAt: now })
        expect(events).toHaveLength(1)
        expect(Either.getOrThrow(run(state, { _tag: "Erase", now }))).toEqual({ events: [], state })
        expect(Either.getLeft(run(state, { _tag: "Edit", patch }))).toMatchObject({
          value: { code: "customer_erased" }
        })
      }),
      { numRuns: 300 }
    )
  })

  it("equals the result of replaying its events", () => {
    FastCheck.assert(
      FastCheck.property(customer, FastCheck.array(command, { maxLength: 8 }), (first, commands) => {
        let state = first
        const events: Array<CustomerEvent> = []
        for (const command of [{ _tag: "Add" as const }, ...commands]) {
          const decision = run(state, command)
          if (Either.isLeft(decision)) continue
          events.push(...decision.right.events)
          ;({ state } = decision.right)
          for (const { _tag } of decision.right.events) {
            const event = makeCustomerEvent(state, _tag, first.createdAt)
            expect(event).toMatchObject({
              type: _tag,
              person: first.id,
              orgId: first.orgId,
              data: customerView(state)
            })
          }
        }
        expect(events.reduce(customerDecider.evolve, first)).toEqual(state)
      }),
      { numRuns: 300 }
    )
  })
})
