import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import type { Storage } from "@trailbook/core/storage"
import { min } from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"

/** Text that appears only in this guest's data. `eventText` appears only in events. */
export const canary = "Canary-4711"
export const eventText = "Told-4712"

/** Creates a guest in an org, updates the guest once, and appends an event for each change. */
export const guestOf = (orgId: string) =>
  Effect.gen(function*() {
    const customers = yield* CustomerStore
    const log = yield* EventLog
    const { run } = yield* UnitOfWork
    const guest = Customer.make({ id: "guest", orgId, email: `${canary}@a.co`, name: canary, createdAt: min })
    const event = { orgId, type: "customer.updated" as const, person: guest.id, createdAt: min, data: { eventText } }
    for (const row of [guest, { ...guest, name: "Ann", phone: canary }]) {
      yield* run(Effect.zipRight(customers.put([row]), log.append([event])))
    }
    return guest
  })

const forgetRow = (guest: Customer.Customer) =>
  Effect.flatMap(
    CustomerStore,
    ({ put }) => put([{ ...guest, email: "", name: "", phone: "", erasedAt: min }])
  )

const forgetEvents = ({ id, orgId }: Customer.Customer) =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const events = yield* log.about(orgId, id, 0, 100)
    yield* log.rewrite(orgId, events.map(({ id }) => ({ id, data: {} })))
  })

/** The two steps of an erasure, and the complete erasure as core performs it. */
export const erasureSteps: {
  readonly [Part in "row" | "events"]: (guest: Customer.Customer) => Effect.Effect<void, never, Storage>
} = { row: forgetRow, events: forgetEvents }

export const eraseGuest = (guest: Customer.Customer) =>
  Effect.flatMap(UnitOfWork, ({ run }) => run(Effect.zipRight(forgetRow(guest), forgetEvents(guest))))
