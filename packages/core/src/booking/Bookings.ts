/**
 * The bookings service. What sells a place or changes a booking goes to the desk,
 * which decides what is waiting together; the rest is a unit of work each. Locks
 * are taken in one order everywhere (`docs/decisions/0014-lock-order.md`), so no
 * two units wait for each other.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Decider from "../Decider.ts"
import type { Key } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { notFound, type Refusal, refuse, refuseFor, unavailable } from "../Refusal.ts"
import { TaskStore } from "../task/TaskStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import { announce, taskOf } from "./announce.ts"
import { askedOf } from "./askedOf.ts"
import { bookingDecider } from "./BookingDecider.ts"
import { BookingDesk } from "./BookingDesk.ts"
import type { GateRefusal } from "./BookingGate.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import type { ChangeRefusal, Destination } from "./Change.ts"
import type { CreateRefusal, Order } from "./create.ts"
import { onlineOrders } from "./onlineOrders.ts"
import { Payments } from "./Payments.ts"

/** Until payments are rows of their own, whoever took one is not known. */
const host = { provider: "host", connection: null }

type NotFound = Refusal<"not_found">

/**
 * @category services
 */
export class Bookings extends Context.Tag("@trailbook/core/Bookings")<
  Bookings,
  {
    readonly get: (key: Key) => Effect.Effect<BookingRecord, NotFound>
    /** Books once for one key; when it has to be paid online, the answer knows where. */
    readonly create: (order: Order) => Effect.Effect<BookingRecord, CreateRefusal | GateRefusal>
    readonly confirm: (key: Key) => Effect.Effect<BookingRecord, ChangeRefusal<"Confirm">>
    /** What the payment provider reports; once, twice or late. */
    readonly pay: (key: Key, paymentIntentId: string) => Effect.Effect<BookingRecord, NotFound>
    readonly move: (key: Key, to: Destination) => Effect.Effect<BookingRecord, ChangeRefusal<"Move">>
    readonly cancel: (key: Key) => Effect.Effect<BookingRecord, NotFound>
    /** Mails the confirmation again, at most once in 24 hours. */
    readonly resend: (
      key: Key
    ) => Effect.Effect<void, Refusal<"not_found" | "booking_held" | "booking_cancelled" | "resend_limited">>
    /** Cancels up to `limit` holds that expired 24 hours ago and says how many. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    Bookings,
    Effect.gen(function*() {
      const store = yield* BookingStore
      const desk = yield* BookingDesk
      const order = yield* onlineOrders
      const ids = yield* Ids
      const orgs = yield* OrgStore
      const taskStore = yield* TaskStore
      const payments = yield* Payments
      const { run } = yield* UnitOfWork
      const cancel = yield* cancelling

      const get = (key: Key) =>
        Effect.flatMap(
          store.find([key]),
          ([record]) => record === undefined ? notFound("booking", key.id) : Effect.succeed(record)
        )

      const lockBooking = (key: Key) =>
        Effect.flatMap(
          store.lock([key]),
          ([record]) => record === undefined ? notFound("booking", key.id) : Effect.succeed(record)
        )

      return Bookings.of({
        get,
        create: (given) =>
          Effect.gen(function*() {
            const record = yield* order(given)
            const { booking } = record
            if (booking.status !== "held" || !booking.paymentDue || booking.checkoutUrl !== null) return record
            const org = yield* Effect.orDie(Effect.flatten(orgs.find(booking.orgId)))
            const asked = askedOf(record, org, { ...host, id: booking.id, attempt: 1, now: booking.createdAt })
            const opened = yield* Effect.mapError(payments.checkout(asked, record, org), () =>
              unavailable(
                "The payment provider does not answer. Your place is held; repeat with the same idempotency_key."
              ))
            if (opened === null) return record
            const { url: checkoutUrl } = opened
            return yield* run(Effect.gen(function*() {
              const now = yield* moment
              const record = yield* Effect.orDie(lockBooking({ orgId: booking.orgId, id: booking.id }))
              if (record.booking.status !== "held" || record.booking.checkoutUrl !== null) {
                return record
              }
              const paying = { ...record, booking: { ...record.booking, checkoutUrl } }
              yield* store.put([paying.booking])
              yield* taskStore.add([taskOf(paying.booking, "mail.held", ids.uuid(), now)])
              return paying
            }))
          }),
        confirm: (key) => desk.change({ _tag: "Confirm", key }),
        pay: (key, paymentIntentId) => desk.change({ _tag: "Pay", key, paymentIntentId }),
        move: (key, to) => desk.change({ _tag: "Move", key, to }),
        cancel: (key) => desk.change({ _tag: "Cancel", key }),
        resend: (key) =>
          run(Effect.gen(function*() {
            const { booking } = yield* lockBooking(key)
            const now = yield* moment
            if (booking.status === "held") return yield* refuse("booking_held")
            if (booking.status === "cancelled") return yield* refuse("booking_cancelled")
            const againFrom = booking.resentAt === null ? now : Instant.addMinutes(booking.resentAt, 24 * 60)
            if (againFrom > now) return yield* refuseFor(Math.ceil((againFrom - now) / 1000), "resend_limited")
            yield* store.put([{ ...booking, resentAt: now }])
            yield* taskStore.add([taskOf(booking, "mail.confirmed", ids.uuid(), now)])
          })),
        sweep: (limit) =>
          Effect.gen(function*() {
            const dayAgo = Instant.addMinutes(yield* moment, -24 * 60)
            const keys = yield* store.holdsExpiredBy(dayAgo, limit)
            const swept = yield* Effect.forEach(keys, (key) =>
              run(Effect.gen(function*() {
                const [record] = yield* store.lock([key])
                // It may have been confirmed or cancelled since it was listed.
                if (record?.booking.status !== "held" || record.booking.expiresAt > dayAgo) return false
                yield* cancel(record, yield* moment)
                return true
              })))
            return swept.filter((cancelled) => cancelled).length
          })
      })
    })
  )
}

/** Cancels a booking that is locked and writes what follows, the events last. */
const cancelling = Effect.gen(function*() {
  const store = yield* BookingStore
  const ids = yield* Ids
  const log = yield* EventLog
  const taskStore = yield* TaskStore
  return (record: BookingRecord, now: Instant.Instant) =>
    Effect.gen(function*() {
      const { booking: before } = record
      const { events, state } = Either.getOrThrow(Decider.run(bookingDecider)(before, { _tag: "Cancel", now }))
      const told = announce({ before, after: { ...record, booking: state }, events, now, newId: ids.uuid })
      yield* store.put([state])
      yield* taskStore.add(told.tasks)
      yield* log.append(told.events)
    })
})
