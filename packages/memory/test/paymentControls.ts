/** Storage adapters that each break one law about payments or connections in a plausible way. */
import { PaymentConnectionStore, PaymentStore } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, swallowFailures } from "./brokenStorage.ts"

export const paymentControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "payments/rows",
    "truncates descriptions at 255 characters",
    breakPort(PaymentStore, ({ put }) => ({
      put: (payments) => put(payments.map((one) => ({ ...one, description: one.description.slice(0, 255) })))
    }))
  ],
  [
    "payments/rows",
    "does not store why a refund was refused",
    breakPort(PaymentStore, ({ put }) => ({
      put: (payments) =>
        put(
          payments.map((one) =>
            one.status === "paid" ? { ...one, refunds: one.refunds.map((refund) => ({ ...refund, error: "" })) } : one
          )
        )
    }))
  ],
  [
    "payments/rows",
    "orders payments by attempt",
    breakPort(PaymentStore, ({ find }) => ({
      find: (keys) => Effect.map(find(keys), (rows) => rows.toSorted((a, b) => a.attempt - b.attempt))
    }))
  ],
  [
    "payments/of-bookings",
    "orders payments by ID",
    breakPort(PaymentStore, ({ lockOfBookings }) => ({
      lockOfBookings: (keys) =>
        Effect.map(lockOfBookings(keys), (rows) => rows.toSorted((a, b) => a.id < b.id ? -1 : 1))
    }))
  ],
  [
    "payments/put",
    "does not replace a stored payment",
    breakPort(PaymentStore, ({ find, put }) => ({
      put: (payments) =>
        Effect.flatMap(
          find(payments),
          (stored) => put(payments.filter(({ id }) => !stored.some((payment) => payment.id === id)))
        )
    }))
  ],
  [
    "payments/intent",
    "finds payments of any org",
    breakPort(PaymentStore, ({ put, withIntent }) => {
      const orgs = new Set<string>()
      return {
        put: (payments) =>
          Effect.zipRight(Effect.sync(() => payments.forEach(({ orgId }) => orgs.add(orgId))), put(payments)),
        withIntent: (of) =>
          Effect.map(
            Effect.forEach(orgs, (orgId) => withIntent({ ...of, orgId })),
            (matches) => Option.fromNullable(matches.flatMap(Option.toArray)[0])
          )
      }
    })
  ],
  [
    "constraints/payments",
    "has no unique key",
    breakPort(PaymentStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/payment-intent",
    "has no unique key",
    breakPort(PaymentStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "constraints/payments",
    "has no foreign key",
    breakPort(PaymentStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  [
    "payment-connections/rows",
    "lists the newest connection first",
    breakPort(PaymentConnectionStore, ({ list }) => ({
      list: (orgId) => Effect.map(list(orgId), (connections) => connections.toReversed())
    }))
  ],
  [
    "payment-connections/rows",
    "truncates a key at 255 characters",
    breakPort(PaymentConnectionStore, ({ put }) => ({
      put: (connection) => put({ ...connection, sealedKey: connection.sealedKey.slice(0, 255) })
    }))
  ],
  [
    "payment-connections/put",
    "does not replace a stored connection",
    breakPort(PaymentConnectionStore, ({ findById, put }) => ({
      put: (connection) =>
        Effect.flatMap(findById(connection.id), (stored) => Option.isSome(stored) ? Effect.void : put(connection))
    }))
  ],
  [
    "payment-connections/rows",
    "finds no connections",
    breakPort(PaymentConnectionStore, () => ({ findById: () => Effect.succeedNone }))
  ],
  [
    "payment-connections/claim",
    "claims a connection that was polled exactly at the given time",
    breakPort(PaymentConnectionStore, ({ claim }) => ({
      claim: (query) => claim({ ...query, before: Instant.make(query.before + 1) })
    }))
  ],
  [
    "payment-connections/claim",
    "claims one connection more than the limit",
    breakPort(
      PaymentConnectionStore,
      ({ claim }) => ({ claim: (query) => claim({ ...query, limit: query.limit + 1 }) })
    )
  ],
  [
    "payment-connections/seen",
    "moves the time backward",
    breakPort(PaymentConnectionStore, ({ findById, put, advanceSeenTo }) => ({
      advanceSeenTo: (key, seenTo) =>
        Effect.flatMap(findById(key.id), (stored) =>
          Option.isSome(stored) && stored.value.orgId === key.orgId
            ? put({ ...stored.value, seenTo })
            : advanceSeenTo(key, seenTo))
    }))
  ],
  [
    "payment-connections/rows",
    "returns one connection less than the limit",
    breakPort(PaymentConnectionStore, ({ page }) => ({ page: (after, limit) => page(after, limit - 1) }))
  ],
  [
    "payment-connections/reseal",
    "replaces secrets that have changed",
    breakPort(PaymentConnectionStore, ({ findById, reseal }) => ({
      reseal: (connection, secrets) =>
        Effect.flatMap(
          findById(connection.id),
          (stored) => Option.isSome(stored) ? reseal(stored.value, secrets) : Effect.void
        )
    }))
  ],
  [
    "constraints/payment-connections",
    "has no unique key",
    breakPort(PaymentConnectionStore, ({ put }) => ({ put: swallowFailures(put) }))
  ]
]
