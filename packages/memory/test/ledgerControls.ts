/** Storage adapters that each break one ledger law in a plausible way. */
import { LedgerStore, PaymentConnectionStore } from "@trailbook/core/payment"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { breakPort, storingBookings, swallowFailures } from "./brokenStorage.ts"

export const ledgerControls: ReadonlyArray<readonly [law: string, how: string, storage: Layer.Layer<Storage>]> = [
  [
    "ledger/put",
    "does not store why money was returned",
    breakPort(LedgerStore, ({ put }) => ({ put: (entries) => put(entries.map((one) => ({ ...one, reason: null }))) }))
  ],
  [
    "ledger/put",
    "does not replace a stored entry",
    breakPort(LedgerStore, ({ find, put }) => ({
      put: (entries) =>
        Effect.flatMap(
          Effect.filter(entries, (entry) => Effect.map(find(entry), Option.isNone)),
          put
        )
    }))
  ],
  [
    "ledger/list",
    "lists the oldest entry first",
    breakPort(
      LedgerStore,
      ({ list }) => ({ list: (query) => Effect.map(list(query), (entries) => entries.toReversed()) })
    )
  ],
  [
    "ledger/list",
    "includes entries at the end of the time range",
    breakPort(LedgerStore, ({ list }) => ({
      list: ({ to, ...query }) =>
        Effect.map(list(query), (entries) => entries.filter(({ createdAt }) => to === undefined || createdAt <= to))
    }))
  ],
  [
    "ledger/list",
    "ignores the method",
    breakPort(LedgerStore, ({ list }) => ({ list: (query) => list({ ...query, method: undefined }) }))
  ],
  [
    "ledger/forget-notes",
    "empties the notes of one booking only",
    breakPort(LedgerStore, ({ forgetNotes }) => ({ forgetNotes: (bookings) => forgetNotes(bookings.slice(1)) }))
  ],
  [
    "ledger/test",
    "lists only the connected account",
    breakPort(PaymentConnectionStore, ({ list }) => ({
      list: (orgId) => Effect.map(list(orgId), (all) => all.filter(({ disconnectedAt }) => disconnectedAt === null))
    }))
  ],
  [
    "constraints/ledger-booking",
    "has no foreign key",
    breakPort(LedgerStore, ({ put }) => ({ put: swallowFailures(put) }))
  ],
  ...["bookings/find", "races/desk-money"].map((law) =>
    [
      law,
      "does not store the amount with the booking",
      storingBookings((bookings) => bookings.map((booking) => ({ ...booking, deskCents: 0 })))
    ] as const
  )
]
