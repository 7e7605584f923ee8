import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decider from "../Decider.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { retryOnConflict, UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import * as Customer from "./Customer.ts"
import {
  type CustomerCommand,
  customerDecider,
  type CustomerEvent,
  type customerEvents,
  CustomerStore,
  customerView
} from "./Customer.ts"

export class Customers extends Context.Tag("@trailbook/core/Customers")<
  Customers,
  {
    /** Finds a customer, even an erased one. */
    readonly get: (key: OrgKey) => Effect.Effect<Customer.Customer, Refusal<"not_found">>
    /** Adds a customer, or applies the patch to the customer with this email. */
    readonly upsert: (
      orgId: string,
      email: string,
      patch: Customer.CustomerPatch
    ) => Effect.Effect<Customer.Customer, Refusal<"customer_erased">>
    readonly update: (
      key: OrgKey,
      patch: Customer.CustomerPatch
    ) => Effect.Effect<
      Customer.Customer,
      Refusal<"not_found" | "customer_erased" | "email_taken" | "invalid_request">
    >
  }
>() {
  static readonly layer = Layer.effect(Customers, Effect.suspend(() => makeCustomers))
}

const makeCustomers = Effect.gen(function*() {
  const store = yield* CustomerStore
  const ids = yield* Ids
  const log = yield* EventLog
  const { run } = yield* UnitOfWork

  const write = <Command extends CustomerCommand>(customer: Customer.Customer, command: Command) =>
    Effect.gen(function*() {
      const { events, state } = yield* Decider.run(customerDecider)(customer, command)
      if (events.length === 0) return state
      const now = yield* currentTime
      yield* store.put([state])
      yield* log.append(events.map((event) => makeCustomerEvent(state, event._tag, now)))
      return state
    })

  const upsert = (orgId: string, email: string, patch: Customer.CustomerPatch) =>
    run(Effect.gen(function*() {
      const [existing] = yield* store.lockByEmail([{ orgId, email }])
      if (existing !== undefined) return yield* write(existing, { _tag: "Edit", patch })
      const newCustomer = Customer.make({ id: ids.uuid(), orgId, email, createdAt: yield* currentTime, ...patch })
      return yield* write(newCustomer, { _tag: "Add" })
    }))

  /**
   * Adds an email address to a guest who has none. One statement locks both this guest and any other guest with the
   * address, which preserves the lock order.
   */
  const addEmail = ({ id, orgId }: OrgKey, email: string, patch: Customer.CustomerPatch) =>
    run(Effect.gen(function*() {
      const customer = yield* Effect.flatMap(store.find([{ orgId, id }]), failIfNotFound("customer", id))
      const rows = yield* store.lockByEmail([{ orgId, email: customer.email }, { orgId, email }])
      // An erasure is final, even if it happened while this transaction waited.
      const currentCustomer = rows.find((one) => one.id === id)
      if (currentCustomer === undefined || customer.erasedAt !== null) return yield* refuse("customer_erased")
      if (currentCustomer.email !== email) {
        if (!Customer.hasPlaceholderEmail(currentCustomer)) {
          return yield* invalid("email: cannot be changed because this guest already has an address")
        }
        if (rows.length > 1) return yield* refuse("email_taken")
      }
      return yield* write(currentCustomer, { _tag: "Edit", patch })
    }))

  return Customers.of({
    get: (key) => Effect.flatMap(store.find([key]), failIfNotFound("customer", key.id)),
    // If two concurrent requests add the same email, the one that loses the conflict is retried and finds the
    // customer.
    upsert: (orgId, email, patch) => retryOnConflict(upsert(orgId, email, patch)),
    update: (key, patch) =>
      patch.email === undefined
        ? run(
          Effect.flatMap(Effect.flatMap(store.lock([key]), failIfNotFound("customer", key.id)), (customer) =>
            write(customer, { _tag: "Edit", patch }))
        )
        : retryOnConflict(addEmail(key, patch.email, patch))
  })
})

export const makeCustomerEvent = (
  customer: Customer.Customer,
  type: CustomerEvent["_tag"],
  now: Instant
): Event.EventPayload<typeof customerEvents> => ({
  orgId: customer.orgId,
  type,
  data: customerView(customer),
  person: customer.id,
  createdAt: now
})
