/**
 * Deciding a batch of orders and changes one after the other, each over what the
 * ones before it left: seats, spans, bookings, guests and keys. Pure; what comes
 * out is written by the caller in one unit of work.
 */
import type * as Either from "effect/Either"
import type { Customer } from "../customer/Customer.ts"
import type { Offering } from "../offering/Offering.ts"
import type { Payment } from "../payment/Payment.ts"
import type { NewEvent } from "../port/EventLog.ts"
import type { Session } from "../session/Session.ts"
import type { Task } from "../task/Task.ts"
import type { Announced } from "./announce.ts"
import * as State from "./BatchState.ts"
import type { Booking } from "./Booking.ts"
import type { BookingRecord } from "./BookingView.ts"
import type { ChangeRefusal } from "./Change.ts"
import type { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import type { CreateRefusal, PaymentsUnasked } from "./create.ts"
import { decideChange } from "./decideChange.ts"
import { decideOrder } from "./decideOrder.ts"
import type { Answered } from "./question.ts"
import type { Drawn } from "./Request.ts"

/**
 * @category models
 */
export interface BatchFacts extends State.Rows {
  /** What each request's question was answered. */
  readonly answered: ReadonlyArray<Answered | undefined>
}

/**
 * @category errors
 */
export type RequestRefusal = CreateRefusal | PaymentsUnasked | ChangeRefusal | ChangedMeanwhile

/**
 * What to answer each request, in order, and what to write.
 *
 * @category models
 */
export interface Decided {
  readonly answers: ReadonlyArray<Either.Either<BookingRecord, RequestRefusal>>
  readonly bookings: ReadonlyArray<Booking>
  readonly customers: ReadonlyArray<Customer>
  readonly offerings: ReadonlyArray<Offering>
  readonly sessions: ReadonlyArray<Session>
  readonly payments: ReadonlyArray<Payment>
  readonly events: ReadonlyArray<NewEvent>
  readonly tasks: ReadonlyArray<Task>
}

/**
 * @category deciding
 */
export const decideAll = (requests: ReadonlyArray<Drawn>, facts: BatchFacts): Decided => {
  const state = State.make(facts)
  const told: Array<Announced> = []
  const answers = requests.map((request, at) => {
    const answered = facts.answered[at]
    return "order" in request
      ? decideOrder(state, request, answered, told)
      : decideChange(state, request, answered, told)
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
