/**
 * Where bookings are sold. The desk gathers what is waiting and decides it as
 * one unit of work, across offerings and orgs: lock all places in order, read
 * all facts after the lock, decide one order after the other over a state that
 * evolves in memory, write everything, the events last.
 *
 * Each order gets its own answer; a refusal touches no neighbour. A batch that
 * fails as a whole is run again order by order, so one poisoned order cannot
 * fail sixty-three others. Every order carries an idempotency key, its caller's
 * or one made for it: should a commit have happened although its answer was
 * lost, the second run finds the booking instead of making another.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { notBefore } from "../capacity/judged.ts"
import { CustomerStore } from "../customer/CustomerStore.ts"
import { type Key, OfferingStore } from "../offering/OfferingStore.ts"
import { OrgStore } from "../org/OrgStore.ts"
import { againWhenLost } from "../port/againWhenLost.ts"
import { EventLog } from "../port/EventLog.ts"
import { Ids } from "../port/Ids.ts"
import { Outbox } from "../port/Outbox.ts"
import { Tenants } from "../port/Tenants.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { SessionStore } from "../session/SessionStore.ts"
import { moment } from "../time/moment.ts"
import * as Zone from "../time/Zone.ts"
import { BookingGate, type GateBroken, type GateRefusal } from "./BookingGate.ts"
import { BookingStore } from "./BookingStore.ts"
import type { BookingRecord } from "./BookingView.ts"
import * as Coalescer from "./Coalescer.ts"
import { type CreateRefusal, type Draw, type Order, PaymentsUnasked } from "./create.ts"
import { type BatchFacts, createAll, type Sold, touchOf } from "./createAll.ts"
import { oneByOne } from "./oneByOne.ts"

/**
 * How many units of work may run at a time, how many orders one may hold, and
 * what a free lane waits for so that others come along.
 *
 * @since 0.1.0
 * @category models
 */
export type DeskOptions = Pick<Parameters<typeof Coalescer.make>[0], "lanes" | "batch" | "gather">

/**
 * @since 0.1.0
 * @category services
 */
export class BookingDesk extends Context.Tag("@trailbook/core/BookingDesk")<
  BookingDesk,
  {
    /** Sells one place, once for one key. What may cost money is sold to an order that says whether it is taken online. */
    readonly submit: (order: Order) => Effect.Effect<BookingRecord, CreateRefusal | PaymentsUnasked | GateRefusal>
  }
>() {
  /** Sells in batches; each storage knows what suits it. */
  static readonly layer = (options: DeskOptions) =>
    Layer.scoped(
      BookingDesk,
      Effect.gen(function*() {
        const sell = yield* selling()
        const coalescer = yield* Coalescer.make({
          ...options,
          run: (orders: ReadonlyArray<Order>) =>
            sell(orders).pipe(
              Effect.catchTag("PaymentsUnasked", (unasked) => Effect.succeed([Exit.fail(unasked)])),
              Effect.catchAllCause(() => oneByOne(orders, (order) => [placeOf(order)], (order) => alone(sell, order)))
            )
        })
        return BookingDesk.of({ submit: (order) => coalescer.submit([placeOf(order)], order) })
      })
    )

  /**
   * No queue: every order begins a unit of work of its own at once, and the locks
   * of the storage are all that keeps two of them apart.
   */
  static readonly layerDirect = Layer.effect(
    BookingDesk,
    Effect.map(
      Effect.suspend(() => selling()),
      (sell) => BookingDesk.of({ submit: (order) => alone(sell, order) })
    )
  )

  /**
   * Past a gate. Each order is a unit of work of its own, so that what the gate says
   * of one, and how long that takes it, is no other's matter; who wants the same
   * place waits for it.
   */
  static readonly layerGated = (options: DeskOptions | "direct") =>
    Layer.scoped(
      BookingDesk,
      Effect.gen(function*() {
        const { admit } = yield* BookingGate
        const sell = yield* selling(admit)
        const submit = (order: Order) => Effect.catchTag(alone(sell, order), "GateBroken", broken)
        if (options === "direct") return BookingDesk.of({ submit })
        const coalescer = yield* Coalescer.make({
          lanes: options.lanes,
          batch: 1,
          run: (orders: ReadonlyArray<Order>) => Effect.forEach(orders, (order) => Effect.exit(submit(order)))
        })
        return BookingDesk.of({ submit: (order) => coalescer.submit([placeOf(order)], order) })
      })
    )
}

const broken = ({ defect }: GateBroken) => Effect.die(defect)

type Sell<E> = (
  orders: ReadonlyArray<Order>
) => Effect.Effect<ReadonlyArray<Exit.Exit<BookingRecord, CreateRefusal | PaymentsUnasked>>, E>

const placeOf = ({ offeringId, orgId, sessionId }: Order): string => `${orgId} ${sessionId ?? offeringId}`

/** Alone, an order may still lose a unique key to another process. */
const alone = <E>(sell: Sell<E>, order: Order): Effect.Effect<BookingRecord, CreateRefusal | PaymentsUnasked | E> =>
  Effect.flatMap(
    againWhenLost(sell([order])),
    ([answer]) => answer ?? Effect.dieMessage("An order was left without an answer.")
  )

const nameOf = ({ id, orgId }: Key): string => `${orgId} ${id}`

const distinct = <Row extends Key>(keys: ReadonlyArray<Row>): ReadonlyArray<Row> => [
  ...new Map(keys.map((key) => [nameOf(key), key])).values()
]

/** The same for all processes: within each org by code units. */
const inOrder = <Row extends Key>(rows: ReadonlyArray<Row>, key: (row: Row) => string): ReadonlyArray<Row> =>
  rows.map((row) => [`${row.orgId} ${key(row)}`, row] as const)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, row]) => row)

/** `admit` is asked about orders that are alone in their unit of work. */
const selling = <E = never>(admit?: (made: BookingRecord) => Effect.Effect<void, E>) =>
  Effect.gen(function*() {
    const bookings = yield* BookingStore
    const customers = yield* CustomerStore
    const ids = yield* Ids
    const log = yield* EventLog
    const offerings = yield* OfferingStore
    const outbox = yield* Outbox
    const sessions = yield* SessionStore
    const { run } = yield* UnitOfWork
    const read = yield* reading

    const draw = (): Draw => ({
      bookingId: ids.uuid(),
      customerId: ids.uuid(),
      reference: ids.reference(),
      handle: ids.handle(),
      errandId: ids.uuid()
    })

    return (orders: ReadonlyArray<Order>) =>
      forOrgs(orders)(run(Effect.gen(function*() {
        const sold = createAll(orders, orders.map(draw), yield* read(orders))
        // Alone, it ends its unit: whoever is asked now is asked under no lock, in a transaction of the host's neither.
        const [answer] = sold.answers
        if (orders.length === 1 && answer !== undefined && isUnasked(answer)) return yield* answer.left
        if (sold.offerings.length > 0) yield* offerings.put(sold.offerings)
        if (sold.sessions.length > 0) yield* sessions.put(sold.sessions)
        // New rows wait at their unique keys for those of other units, so they are written in the order of these keys.
        if (sold.customers.length > 0) yield* customers.put(inOrder(sold.customers, ({ email }) => email))
        if (sold.bookings.length > 0) yield* bookings.put(inOrder(sold.bookings, ({ idempotency }) => idempotency.key))
        if (sold.errands.length > 0) yield* outbox.add(sold.errands)
        // Before the counter of events, which everybody else of the org would have to wait for.
        if (admit !== undefined) yield* Effect.forEach(newOf(sold), admit, { discard: true })
        if (sold.events.length > 0) yield* log.append(sold.events)
        return sold.answers.map((answer) => Exit.fromEither(answer))
      })))
  })

const isUnasked = <A, E>(answer: Either.Either<A, E | PaymentsUnasked>): answer is Either.Left<PaymentsUnasked, A> =>
  Either.isLeft(answer) && answer.left instanceof PaymentsUnasked

/** The bookings that were made, and not those that repeated orders had made before. */
const newOf = ({ answers, bookings }: Sold): ReadonlyArray<BookingRecord> => {
  const made = new Set(bookings)
  return answers.flatMap((answer) => Either.isRight(answer) && made.has(answer.right.booking) ? [answer.right] : [])
}

/** A batch is nobody's own request: whose work it is has to be said. */
const forOrgs = (orders: ReadonlyArray<Order>) =>
  Effect.provideService(Tenants, [...new Set(orders.map(({ orgId }) => orgId))])

/** Locks the places of a batch, then reads what deciding it needs. */
const reading = Effect.gen(function*() {
  const bookings = yield* BookingStore
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  const sessions = yield* SessionStore
  const lockGuests = yield* lockingGuests

  const orgFacts = (orgId: string) =>
    Effect.gen(function*() {
      const org = yield* Effect.orDie(Effect.flatten(orgs.find(orgId)))
      return [orgId, { org, zone: Zone.get(org.timezone) }] as const
    })

  return (orders: ReadonlyArray<Order>) =>
    Effect.gen(function*() {
      // A class is sold by its session: only that row is locked, so its other sessions sell on.
      const ofSessions = orders.filter(({ sessionId }) => sessionId !== undefined)
      const ofSpans = orders.filter(({ sessionId }) => sessionId === undefined)
      const offeringKey = ({ offeringId, orgId }: Order): Key => ({ orgId, id: offeringId })
      const locked = yield* offerings.lock(distinct(ofSpans.map(offeringKey)))
      const lockedSessions = yield* sessions.lock(
        distinct(ofSessions.map(({ orgId, sessionId = "" }) => ({ orgId, id: sessionId })))
      )
      // The moment is taken after the locks: who waited for a place sees it as it is now.
      const now = yield* moment

      // None of these needs another's answer: asked at once, they are one round trip where that counts.
      const { classes, guests, orgs, ...found } = yield* Effect.all({
        classes: offerings.find(distinct(ofSessions.map(offeringKey))),
        guests: lockGuests(orders),
        orgs: Effect.forEach([...new Set(orders.map(({ orgId }) => orgId))], orgFacts, { concurrency: "unbounded" }),
        booked: sessions.booked(
          lockedSessions.map((session) => ({ orgId: session.orgId, id: session.id, now: notBefore(now, session) }))
        ),
        sameKeys: bookings.findByIdempotencyKey(
          orders.map(({ idempotency, orgId }) => ({ orgId, key: idempotency.key }))
        )
      }, { concurrency: "unbounded" })
      const facts: Omit<BatchFacts, "touched"> = {
        now,
        orgs: new Map(orgs),
        offerings: [...classes, ...locked],
        sessions: lockedSessions,
        customers: guests,
        ...found
      }
      const places = new Map(locked.map((offering) => [nameOf(offering), offering]))
      const touches = orders.map((order) => {
        const offering = places.get(nameOf(offeringKey(order)))
        const zone = facts.orgs.get(order.orgId)?.zone
        return offering === undefined || zone === undefined ? undefined : touchOf(order, offering, zone, now)
      })
      const touching = yield* bookings.touching(touches.filter((query) => query !== undefined))
      let at = 0
      const touched = touches.map((query) => query === undefined ? undefined : touching[at++])
      return { ...facts, touched } satisfies BatchFacts
    })
})

/**
 * Locks the guests of a batch, those named by id and those by address, in one
 * statement and so in one order: by address, which is what never changes of a
 * guest until they are erased.
 */
const lockingGuests = Effect.map(
  CustomerStore,
  (customers) => (orders: ReadonlyArray<Order>) =>
    Effect.gen(function*() {
      const named = yield* customers.find(
        distinct(orders.flatMap(({ customerId: id, orgId }) => id === undefined ? [] : [{ orgId, id }]))
      )
      const addressed = orders.flatMap(({ contact, orgId }) =>
        contact === undefined ? [] : [{ orgId, id: contact.email }]
      )
      const reachable = named.filter(({ erasedAt }) => erasedAt === null)
      const locked = yield* customers.lockByEmail(
        distinct([...addressed, ...reachable.map(({ email, orgId }) => ({ orgId, id: email }))])
          .map(({ id: email, orgId }) => ({ orgId, email }))
      )
      // Who was erased, be it while we waited, stays erased: they need no lock.
      const isLocked = new Set(locked.map(nameOf))
      const erased = yield* customers.find(named.filter((one) => !isLocked.has(nameOf(one))))
      return [...locked, ...erased]
    })
)
