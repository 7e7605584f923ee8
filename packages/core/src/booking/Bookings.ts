/**
 * The bookings service: lock, read, decide, store, announce, in one unit of
 * work each. Locks are taken in one order everywhere (`docs/decisions/0014-lock-order.md`),
 * so no two units wait for each other.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { judged, notBefore } from "../capacity/judged.ts"
import * as Decider from "../Decider.ts"
import type { Offering } from "../offering/Offering.ts"
import { type Key, OfferingStore } from "../offering/OfferingStore.ts"
import { endOf } from "../offering/slots.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { Outbox } from "../port/Outbox.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal, unavailable } from "../Refusal.ts"
import type { Session } from "../session/Session.ts"
import { SessionStore } from "../session/SessionStore.ts"
import * as Instant from "../time/Instant.ts"
import { moment } from "../time/moment.ts"
import * as Zone from "../time/Zone.ts"
import { announce, type Announced, errandOf } from "./announce.ts"
import { type Booking, isLive, type Place } from "./Booking.ts"
import { type BookingCommand, bookingDecider, type BookingRefusals, isThere } from "./BookingDecider.ts"
import { bookingCancelled, bookingHeld, resendLimited } from "./BookingError.ts"
import type { GateRefusal } from "./BookingGate.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import type { CreateRefusal, Order } from "./create.ts"
import { onlineOrders } from "./onlineOrders.ts"
import { Payments } from "./Payments.ts"
import { fits, offered, type PlaceFacts, reaching, type Target, touch } from "./target.ts"

type NotFound = Refusal<"not_found">

/**
 * Where a booking shall move to: a session for a class, a start for the rest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Destination {
  readonly sessionId: string | undefined
  readonly startsAt: Instant.Instant | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export class Bookings extends Context.Tag("@trailbook/core/Bookings")<
  Bookings,
  {
    readonly get: (key: Key) => Effect.Effect<BookingRecord, NotFound>
    /** Books once for one key; when it has to be paid online, the answer knows where (decision 5.10). */
    readonly create: (order: Order) => Effect.Effect<BookingRecord, CreateRefusal | GateRefusal>
    readonly confirm: (key: Key) => Effect.Effect<BookingRecord, NotFound | BookingRefusals["Confirm"]>
    /** What the payment provider reports; once, twice or late (decision 5.10). */
    readonly pay: (key: Key, paymentIntentId: string) => Effect.Effect<BookingRecord, NotFound>
    readonly move: (key: Key, to: Destination) => Effect.Effect<BookingRecord, NotFound | BookingRefusals["Move"]>
    readonly cancel: (key: Key) => Effect.Effect<BookingRecord, NotFound>
    /** Mails the confirmation again, at most once in 24 hours (decision 5.12). */
    readonly resend: (
      key: Key
    ) => Effect.Effect<void, Refusal<"not_found" | "booking_held" | "booking_cancelled" | "resend_limited">>
    /** Cancels up to `limit` holds that expired 24 hours ago (decision 5.6) and says how many. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    Bookings,
    Effect.gen(function*() {
      const store = yield* BookingStore
      const order = yield* onlineOrders
      const ids = yield* Ids
      const offerings = yield* OfferingStore
      const orgs = yield* OrgStore
      const outbox = yield* Outbox
      const payments = yield* Payments
      const sessions = yield* SessionStore
      const { run } = yield* UnitOfWork
      const write = yield* writing

      const get = (key: Key) =>
        Effect.flatMap(
          store.find(key),
          (found) => Option.isNone(found) ? notFound("booking", key.id) : Effect.succeed(found.value)
        )

      const lockBooking = (key: Key) =>
        Effect.flatMap(
          store.lock([key]),
          ([record]) => record === undefined ? notFound("booking", key.id) : Effect.succeed(record)
        )

      /** Locks where the booking is and where it may go, then the booking itself. */
      const lockWithPlaces = (key: Key, toSession: string | undefined, again: boolean) =>
        Effect.gen(function*() {
          const seen = (yield* get(key)).booking
          const { offeringId: id, orgId, sessionId } = seen
          const offeringKey = { orgId, id }
          // A class sells by its sessions and its row is left to others. But a hold that ran out may take its place anew
          // in a session that has begun, and for those no change of the class waits.
          const locksOffering = again || sessionId === null || !isLive(seen, yield* moment)
          const lockedOfferings = locksOffering ? yield* offerings.lock([offeringKey]) : []
          const wanted = [...new Set(sessionId === null ? [] : [sessionId, toSession ?? sessionId])]
          const locked = yield* sessions.lock(wanted.map((id) => ({ orgId, id })))
          const record = yield* lockBooking(key)
          const now = notBefore(yield* moment, ...lockedOfferings, ...locked)
          // It moved, or ran out, before its row was ours: what it needs now is not locked.
          const isCovered = record.booking.sessionId === sessionId && (locksOffering || isLive(record.booking, now))
          if (!isCovered) return yield* new ChangedMeanwhile()
          // A class is read after its sessions were locked: whoever changes it locks them too.
          const [offering] = locksOffering ? lockedOfferings : yield* offerings.find([offeringKey])
          const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
          if (offering === undefined) return yield* Effect.dieMessage("A booking without its offering.")
          const facts: PlaceFacts = { offering, zone: Zone.get(org.timezone), now }
          return { record, facts, sessions: locked }
        })

      /**
       * What the place answers when asked as if the booking itself were not there, and
       * what it is to remember if the booking comes there.
       */
      const fitsWithout = (
        booking: Booking,
        { now, offering }: PlaceFacts,
        place: Place,
        session: Session | undefined
      ) =>
        Effect.gen(function*() {
          if (session !== undefined) {
            const asked = { orgId: session.orgId, id: session.id, now, except: booking.id }
            const [seats] = yield* sessions.booked([asked])
            const after = judged(session, seats?.lapsedAt ?? null)
            return {
              answer: fits(offering, place, booking.quantity, { session, booked: seats?.booked ?? 0 }),
              remember: after === session ? Effect.void : sessions.put([after])
            }
          }
          const [touched] = yield* store.touching([touch(offering, place, now, booking.id)])
          const after = judged(reaching(offering, place), touched?.lapsedAt ?? null)
          return {
            answer: fits(offering, place, booking.quantity, { taken: touched?.taken ?? [] }),
            remember: after === offering ? Effect.void : offerings.put([after])
          }
        })

      /** A live hold keeps its place without being asked. */
      const fitsStill = ({ facts, record: { booking }, sessions }: Locked) =>
        isLive(booking, facts.now)
          ? Effect.succeed({ answer: Either.void, remember: Effect.void })
          : fitsWithout(booking, facts, booking, sessions.find(({ id }) => id === booking.sessionId))

      const inUnit = <A, E>(work: (again: boolean) => Effect.Effect<A, E | ChangedMeanwhile>): Effect.Effect<A, E> => {
        const attempt = (left: number): Effect.Effect<A, E> =>
          Effect.catchIf(
            run(work(left < retries)),
            (error): error is ChangedMeanwhile => error instanceof ChangedMeanwhile,
            (error) => left === 0 ? Effect.die(error) : attempt(left - 1)
          )
        return attempt(retries)
      }

      const settle = <Command extends BookingCommand>(
        key: Key,
        command: (now: Instant.Instant, placeIsFree: boolean) => Command
      ) =>
        inUnit((again) =>
          Effect.gen(function*() {
            const locked = yield* lockWithPlaces(key, undefined, again)
            const { answer, remember } = yield* fitsStill(locked)
            const { now } = locked.facts
            return yield* write.decided(locked.record, command(now, Either.isRight(answer)), now, remember)
          })
        )

      const cancelLocked = (record: BookingRecord, now: Instant.Instant) =>
        write.decided(record, { _tag: "Cancel", now }, now)

      return Bookings.of({
        get,
        create: (wish) =>
          Effect.gen(function*() {
            const record = yield* order(wish)
            const { booking } = record
            if (booking.status !== "held" || !booking.paymentDue || booking.checkoutUrl !== null) return record
            const org = yield* Effect.orDie(Effect.flatten(orgs.find(booking.orgId)))
            const checkoutUrl = yield* Effect.mapError(payments.checkout(record, org), () =>
              unavailable(
                "The payment provider does not answer. Your place is held; repeat with the same idempotency_key."
              ))
            if (checkoutUrl === null) return record
            return yield* run(Effect.gen(function*() {
              const now = yield* moment
              const record = yield* Effect.orDie(lockBooking({ orgId: booking.orgId, id: booking.id }))
              if (record.booking.status !== "held" || record.booking.checkoutUrl !== null) {
                return record
              }
              const paying = { ...record, booking: { ...record.booking, checkoutUrl } }
              yield* store.put([paying.booking])
              yield* outbox.add([errandOf(paying.booking, "mail.held", ids.uuid(), now)])
              return paying
            }))
          }),
        confirm: (key) => settle(key, (now, placeIsFree) => ({ _tag: "Confirm", now, placeIsFree })),
        pay: (key, paymentIntentId) =>
          settle(key, (now, placeIsFree) => ({ _tag: "Pay", now, placeIsFree, paymentIntentId })),
        move: (key, destination) =>
          inUnit((again) =>
            Effect.gen(function*() {
              const locked = yield* lockWithPlaces(key, destination.sessionId, again)
              const { facts, record } = locked
              const { booking } = record
              const wanted = yield* targetOf(booking, facts.offering, destination, locked.sessions)
              const to = placeOf(facts, wanted)
              const open = offered(facts, wanted)
              const { answer: target, remember } = isThere(booking, to)
                ? { answer: Either.void, remember: Effect.void }
                : Either.isLeft(open)
                ? { answer: Either.left(open.left), remember: Effect.void }
                : yield* fitsWithout(booking, facts, to, "session" in wanted ? wanted.session : undefined)
              return yield* write.decided(record, { _tag: "Move", now: facts.now, to, target }, facts.now, remember)
            })
          ),
        cancel: (key) =>
          run(Effect.gen(function*() {
            const record = yield* lockBooking(key)
            return yield* cancelLocked(record, yield* moment)
          })),
        resend: (key) =>
          run(Effect.gen(function*() {
            const { booking } = yield* lockBooking(key)
            const now = yield* moment
            if (booking.status === "held") return yield* bookingHeld()
            if (booking.status === "cancelled") return yield* bookingCancelled()
            const againFrom = booking.resentAt === null ? now : Instant.addMinutes(booking.resentAt, 24 * 60)
            if (againFrom > now) return yield* resendLimited(Math.ceil((againFrom - now) / 1000))
            yield* store.put([{ ...booking, resentAt: now }])
            yield* outbox.add([errandOf(booking, "mail.confirmed", ids.uuid(), now)])
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
                yield* cancelLocked(record, yield* moment)
                return true
              })))
            return swept.filter((cancelled) => cancelled).length
          })
      })
    })
  )
}

interface Locked {
  readonly record: BookingRecord
  readonly facts: PlaceFacts
  readonly sessions: ReadonlyArray<Session>
}

/** How often a unit of work is run again whose booking changed before it was locked. */
const retries = 5

class ChangedMeanwhile extends Data.TaggedError("ChangedMeanwhile")<{}> {}

/** Decides a command for a locked booking and writes what follows, its place `before` it and the events last. */
const writing = Effect.gen(function*() {
  const store = yield* BookingStore
  const ids = yield* Ids
  const log = yield* EventLog
  const outbox = yield* Outbox
  return {
    decided: <Command extends BookingCommand>(
      record: BookingRecord,
      command: Command,
      now: Instant.Instant,
      before: Effect.Effect<void> = Effect.void
    ) =>
      Effect.gen(function*() {
        const decided = Decider.run(bookingDecider)(record.booking, command)
        if (Either.isLeft(decided)) return yield* Effect.fail(decided.left)
        const { events, state } = decided.right
        if (events.length === 0) return record
        const after = { ...record, booking: state }
        const told: Announced = announce({ before: record.booking, after, events, now, newId: ids.uuid })
        yield* before
        yield* store.put([state])
        if (told.errands.length > 0) yield* outbox.add(told.errands)
        if (told.events.length > 0) yield* log.append(told.events)
        return after
      })
  }
})

/** What the move asks for; the booking keeps its length (decision 5.8). */
const targetOf = (
  { periodMinutes, periods }: Booking,
  offering: Offering,
  { sessionId, startsAt }: Destination,
  sessions: ReadonlyArray<Session>
) => {
  if (offering.kind === "class") {
    if (startsAt !== undefined || sessionId === undefined) {
      return Either.left(invalid("session_id: a booking of a class moves to a session_id"))
    }
    const session = sessions.find(({ id, offeringId }) => id === sessionId && offeringId === offering.id)
    return session === undefined ? Either.left(notFound("session", sessionId)) : Either.right({ session })
  }
  return sessionId !== undefined || startsAt === undefined
    ? Either.left(invalid("starts_at: a booking of an appointment or a rental moves to a starts_at"))
    : Either.right({ startsAt, length: { periodMinutes, periods } })
}

/** Where the booking would be, offered or not: it may well be there already. */
const placeOf = ({ offering, zone }: PlaceFacts, wanted: Target): Place => {
  if ("session" in wanted) {
    const { endsAt, id, startsAt } = wanted.session
    return { startsAt, endsAt, sessionId: id }
  }
  const { length, startsAt } = wanted
  return { startsAt, endsAt: endOf(offering.kind, zone, startsAt, length), sessionId: null }
}
