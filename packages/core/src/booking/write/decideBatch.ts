/**
 * Decides the requests of a batch one after another. Each decision includes the changes of earlier requests: seats,
 * spans, bookings, guests, and idempotency keys. It is pure; the caller writes the result in one transaction.
 */
import type * as Either from "effect/Either"
import type { Customer } from "../../customer/Customer.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { Payment } from "../../payment/Payment.ts"
import type { NewEvent } from "../../port/EventLog.ts"
import type { Session } from "../../session/Session.ts"
import type { Task } from "../../task/Task.ts"
import type { Booking } from "../Booking.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { CreateRefusal, PaymentStatusRequired } from "../createBooking.ts"
import type { EventsAndTasks } from "../eventsAndTasks.ts"
import * as BatchState from "./BatchState.ts"
import type { RequestWithIds } from "./BookingRequest.ts"
import { decideCreate } from "./decideCreate.ts"
import { decideUpdate } from "./decideUpdate.ts"
import type { OccupancyResult } from "./occupancyQuery.ts"
import type { StaleRead } from "./StaleRead.ts"
import type { UpdateRefusal } from "./UpdateBooking.ts"

export interface BatchFacts extends BatchState.Rows {
  /** The result of the occupancy query of each request. */
  readonly answered: ReadonlyArray<OccupancyResult | undefined>
}

export type RequestRefusal = CreateRefusal | PaymentStatusRequired | UpdateRefusal | StaleRead

/** The result of each request, in order, and the rows to write. */
export interface BatchDecision {
  readonly answers: ReadonlyArray<Either.Either<BookingRecord, RequestRefusal>>
  readonly bookings: ReadonlyArray<Booking>
  readonly customers: ReadonlyArray<Customer>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly payments: ReadonlyArray<Payment>
  readonly events: ReadonlyArray<NewEvent>
  readonly tasks: ReadonlyArray<Task>
}

export const decideBatch = (requests: ReadonlyArray<RequestWithIds>, facts: BatchFacts): BatchDecision => {
  const state = BatchState.make(facts)
  const told: Array<EventsAndTasks> = []
  const answers = requests.map((request, at) => {
    const answered = facts.answered[at]
    return "order" in request
      ? decideCreate(state, request, answered, told)
      : decideUpdate(state, request, answered, told)
  })
  const { bookings, customers, offerings, payments, sessions } = state.changed
  return {
    answers,
    bookings: [...bookings.values()].map(({ is }) => is),
    customers: [...customers.values()],
    offerings: [...offerings.values()],
    sessions: [...sessions.values()],
    payments: [...payments.values()],
    events: told.flatMap(({ events }) => events),
    tasks: told.flatMap(({ tasks }) => tasks)
  }
}
