import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decider from "../Decider.ts"
import type { Key } from "../offering/OfferingStore.ts"
import { againWhenLost } from "../port/againWhenLost.ts"
import type * as Event from "../port/Event.ts"
import { EventLog } from "../port/EventLog.ts"
import { found } from "../port/found.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import type { Refusal } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import * as Customer from "./Customer.ts"
import { type CustomerCommand, customerDecider, type CustomerEvent, type CustomerRefusal } from "./CustomerDecider.ts"
import type { customerEvents } from "./customerEvents.ts"
import { CustomerStore } from "./CustomerStore.ts"
import { customerView } from "./CustomerView.ts"

type NotFound = Refusal<"not_found">

/**
 * @category services
 */
export class Customers extends Context.Tag("@trailbook/core/Customers")<
  Customers,
  {
    /** Finds a customer, erased ones included. */
    readonly get: (key: Key) => Effect.Effect<Customer.Customer, NotFound>
    /** Adds the customer, or changes the fields given of the one with this address. */
    readonly upsert: (
      orgId: string,
      email: string,
      patch: Customer.CustomerPatch
    ) => Effect.Effect<Customer.Customer, CustomerRefusal>
    readonly update: (
      key: Key,
      patch: Customer.CustomerPatch
    ) => Effect.Effect<Customer.Customer, NotFound | CustomerRefusal>
  }
>() {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function*() {
      const store = yield* CustomerStore
      const ids = yield* Ids
      const log = yield* EventLog
      const { run } = yield* UnitOfWork

      const write = <Command extends CustomerCommand>(before: Customer.Customer, command: Command) =>
        Effect.gen(function*() {
          const { events, state } = yield* Decider.run(customerDecider)(before, command)
          if (events.length === 0) return state
          const now = yield* moment
          yield* store.put([state])
          yield* log.append(events.map((event) => customerEvent(state, event._tag, now)))
          return state
        })

      const upsert = (orgId: string, email: string, patch: Customer.CustomerPatch) =>
        run(Effect.gen(function*() {
          const [known] = yield* store.lockByEmail([{ orgId, email }])
          if (known !== undefined) return yield* write(known, { _tag: "Edit", patch })
          const added = Customer.make({ id: ids.uuid(), orgId, email, createdAt: yield* moment, ...patch })
          return yield* write(added, { _tag: "Add" })
        }))

      return Customers.of({
        get: (key) => Effect.flatMap(store.find([key]), found("customer", key.id)),
        // Two requests may add one address at the same moment: the one that loses it finds it added.
        upsert: (orgId, email, patch) => againWhenLost(upsert(orgId, email, patch)),
        update: (key, patch) =>
          run(
            Effect.flatMap(Effect.flatMap(store.lock([key]), found("customer", key.id)), (before) =>
              write(before, { _tag: "Edit", patch }))
          )
      })
    })
  )
}

/**
 * @category converting
 */
export const customerEvent = (
  customer: Customer.Customer,
  type: CustomerEvent["_tag"],
  now: Instant
): Event.Told<typeof customerEvents> => ({
  orgId: customer.orgId,
  type,
  data: customerView(customer),
  person: customer.id,
  createdAt: now
})
