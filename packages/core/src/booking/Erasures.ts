/**
 * Forgetting a guest on request (§4.5, decision 6). E-mail, name, phone, notes
 * and metadata go; so do notes and metadata of their bookings and every copy in
 * stored events. Ids, cursors and the bookings themselves stay.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { customerDecider } from "../customer/CustomerDecider.ts"
import { customerEvent } from "../customer/Customers.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import * as Decider from "../Decider.ts"
import type { Key } from "../offering/OfferingStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal } from "../Refusal.ts"
import { moment } from "../time/moment.ts"
import { BookingStore } from "./BookingStore.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Erasures extends Context.Tag("@trailbook/core/Erasures")<
  Erasures,
  {
    /** Erases a customer; safe to repeat. */
    readonly erase: (key: Key) => Effect.Effect<void, Refusal<"not_found">>
  }
>() {
  static readonly layer = Layer.effect(
    Erasures,
    Effect.gen(function*() {
      const bookings = yield* BookingStore
      const customers = yield* CustomerStore
      const log = yield* EventLog
      const { run } = yield* UnitOfWork

      return Erasures.of({
        erase: (key) =>
          run(Effect.gen(function*() {
            // The customer's row first: from here on no booking can be made for them.
            const [customer] = yield* customers.lock([key])
            if (customer === undefined) return yield* notFound("customer", key.id)
            const now = yield* moment
            const { events, state } = Either.getOrThrow(Decider.run(customerDecider)(customer, { _tag: "Erase", now }))
            if (events.length === 0) return
            const theirs = yield* bookings.lockOfCustomer(key)
            yield* customers.put([state])
            yield* bookings.put(theirs.map(({ booking }) => ({ ...booking, notes: "", metadata: {} })))
            const told = yield* log.aboutCustomer(key.orgId, key.id)
            yield* log.rewrite(key.orgId, told.map(({ data, id }) => ({ id, data: withoutPerson(data) })))
            yield* log.append(events.map(({ _tag }) => customerEvent(state, _tag, now)))
          }))
      })
    })
  )
}

const personal: ReadonlySet<string> = new Set(["email", "name", "phone", "notes"])

/**
 * A stored customer or booking with its person's fields emptied. The offering
 * inside a booking keeps its name.
 *
 * @since 0.1.0
 * @category converting
 */
export const withoutPerson = (data: unknown): unknown => {
  if (typeof data !== "object" || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (personal.has(key)) return [key, ""]
      if (key === "metadata") return [key, {}]
      return [key, key === "customer" ? withoutPerson(value) : value]
    })
  )
}
