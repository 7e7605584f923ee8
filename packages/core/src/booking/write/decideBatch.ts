/**
 * Decides the requests in a batch one after another. Each decision accounts for earlier requests' changes to seats,
 * spans, bookings, guests, and idempotency keys. The decision is pure, and `executeBatch` stores the result in one
 * transaction.
 */
import type * as Either from "effect/Either"
import type { Customer } from "../../customer/Customer.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { LedgerEntry } from "../../payment/ledger/LedgerEntry.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { Session } from "../../session/Session.ts"
import type { Booking } from "../Booking.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { EventsAndTasks } from "../eventsAndTasks.ts"
import * as BatchState from "./BatchState.ts"
import type { BookingRequestRefusal, RequestWithIds } from "./BookingRequest.ts"
import { decideCreate } from "./decideCreate.ts"
import { decideUpdate } from "./decideUpdate.ts"
import type { PlaceOccupancy } from "./occupancy.ts"

export interface LoadedBatch extends BatchState.BatchRows {
  /** The occupancy for each request. Undefined if the request needs no capacity. */
  readonly occupancies: ReadonlyArray<PlaceOccupancy | undefined>
}

/** The result of each request, in order, and the rows to store. */
export interface BatchDecision extends EventsAndTasks {
  readonly results: ReadonlyArray<Either.Either<BookingRecord, BookingRequestRefusal>>
  readonly created: ReadonlyArray<Booking>
  readonly updated: ReadonlyArray<Booking>
  readonly customers: ReadonlyArray<Customer>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly payments: ReadonlyArray<Payment>
  /** The new desk ledger entries. */
  readonly entries: ReadonlyArray<LedgerEntry>
}

export const decideBatch = (requests: ReadonlyArray<RequestWithIds>, loaded: LoadedBatch): BatchDecision => {
  const state = BatchState.make(loaded)
  const results = requests.map((request, index) => {
    const occupancy = loaded.occupancies[index]
    return "create" in request ? decideCreate(state, request, occupancy) : decideUpdate(state, request, occupancy)
  })
  const { changed: { bookings, customers, entries, offerings, payments, sessions }, effects } = state
  const changes = [...bookings.values()]
  return {
    results,
    created: changes.flatMap(({ is, was }) => was === undefined ? [is] : []),
    updated: changes.flatMap(({ is, was }) => was === undefined ? [] : [is]),
    customers: [...customers.values()],
    offerings: [...offerings.values()],
    sessions: [...sessions.values()],
    payments: [...payments.values()],
    entries,
    events: effects.flatMap(({ events }) => events),
    tasks: effects.flatMap(({ tasks }) => tasks)
  }
}
