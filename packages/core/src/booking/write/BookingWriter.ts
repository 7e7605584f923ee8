/**
 * Where bookings are sold and changed. The desk gathers what is waiting and
 * decides it as one unit of work, across offerings and orgs: lock all places in
 * order, read all facts after the lock, decide one request after the other over a
 * state that evolves in memory, write everything, the events last.
 *
 * Each request gets its own answer; a refusal touches no neighbour. A batch that
 * fails as a whole is run again request by request, so one poisoned order cannot
 * fail sixty-three others. Every order carries an idempotency key, its caller's
 * or one made for it: should a commit have happened although its answer was
 * lost, the second run finds the booking instead of making another. A change is
 * not made a second time then: its caller hears that nobody knows, and asks again.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Coalescer from "../../concurrency/KeyedBatcher.ts"
import { Joined } from "../../port/Joined.ts"
import { MayWait } from "../../port/MayWait.ts"
import { currentTime } from "../../time/currentTime.ts"
import { BookingCreateHook, type HookDefect, type HookRefusal } from "../BookingCreateHook.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { CreateBooking, CreateRefusal, PaymentStatusRequired } from "../createBooking.ts"
import { type CachedLocation, makeCachedLocator, makeLocator } from "./BookingLocator.ts"
import { batchKeys, type BookingRequest } from "./BookingRequest.ts"
import type { RequestRefusal } from "./decideBatch.ts"
import { executeBatchOrSplit, executeOne, makeExecuteBatch } from "./executeBatch.ts"
import { StaleRead } from "./StaleRead.ts"
import type { UpdateBooking, UpdateRefusal } from "./UpdateBooking.ts"

/**
 * How many units of work may run at a time, how many requests one may hold, and
 * what a free lane waits for so that others come along.
 */
export type BatchOptions = Pick<Parameters<typeof Coalescer.make>[0], "lanes" | "batch" | "gather">

export class BookingWriter extends Context.Tag("@trailbook/core/BookingWriter")<
  BookingWriter,
  {
    /** Sells one place, once for one key. What may cost money is sold to an order that says whether it is taken online. */
    readonly submit: (
      order: CreateBooking
    ) => Effect.Effect<BookingRecord, CreateRefusal | PaymentStatusRequired | HookRefusal>
    /** Changes one booking; asked a second time it changes nothing. */
    readonly change: <Tag extends UpdateBooking["_tag"]>(
      change: Extract<UpdateBooking, { readonly _tag: Tag }>
    ) => Effect.Effect<BookingRecord, UpdateRefusal<Tag>>
  }
>() {
  /** Decides in batches; each storage knows what suits it. */
  static readonly layer = (options: BatchOptions) =>
    Layer.scoped(
      BookingWriter,
      Effect.gen(function*() {
        const decide = yield* makeExecuteBatch()
        const { find, remember } = yield* makeCachedLocator
        const findAlone = yield* makeLocator
        const coalescer = yield* Coalescer.make({
          ...options,
          run: (requests: ReadonlyArray<BookingRequest>) => executeBatchOrSplit(decide, requests)
        })
        const ask = (request: BookingRequest) =>
          Effect.tap(
            coalescer.submit(batchKeys(request), request),
            ({ booking }) => Effect.sync(() => remember(booking))
          )
        const desk = yield* queued(BookingWriter.of({ submit: submitting<never>(ask), change: changing(ask, find) }))
        const aside = (request: BookingRequest) => executeOne(decide, request)
        return unlessJoined(
          desk,
          BookingWriter.of({ submit: submitting<never>(aside), change: changing(aside, findAlone) })
        )
      })
    )

  /**
   * No queue: every request begins a unit of work of its own at once, and the locks
   * of the storage are all that keeps two of them apart.
   */
  static readonly layerDirect = Layer.effect(
    BookingWriter,
    Effect.gen(function*() {
      const decide = yield* Effect.suspend(() => makeExecuteBatch())
      const find = yield* makeLocator
      const ask = (request: BookingRequest) => executeOne(decide, request)
      return BookingWriter.of({ submit: submitting<never>(ask), change: changing(ask, find) })
    })
  )

  /**
   * Past a gate. Each order is a unit of work of its own, so that what the gate says
   * of one, and how long that takes it, is no other's matter; who wants the same
   * place waits for it. So is each change, which no gate is asked about: in a batch
   * it would wait with others for a place that a gate keeps.
   */
  static readonly layerGated = (options: BatchOptions | "direct") =>
    Layer.scoped(
      BookingWriter,
      Effect.gen(function*() {
        const { admit } = yield* BookingCreateHook
        const decide = yield* makeExecuteBatch(admit)
        const find = yield* makeLocator
        const ask = (request: BookingRequest) => Effect.catchTag(executeOne(decide, request), "HookDefect", broken)
        const change = changing(ask, find)
        if (options === "direct") return BookingWriter.of({ submit: submitting<HookRefusal>(ask), change })
        const coalescer = yield* Coalescer.make({
          lanes: options.lanes,
          batch: 1,
          run: (requests: ReadonlyArray<BookingRequest>) =>
            Effect.forEach(requests, (request) => Effect.exit(ask(request)))
        })
        const desk = yield* queued(BookingWriter.of({
          submit: submitting<HookRefusal>((request) => coalescer.submit(batchKeys(request), request)),
          change
        }))
        return unlessJoined(desk, BookingWriter.of({ submit: submitting<HookRefusal>(ask), change }))
      })
    )
}

/** Who waits in the queue waits for other fibers, and must not be who they wait for. */
const queued = (desk: BookingWriter["Type"]): Effect.Effect<BookingWriter["Type"]> =>
  Effect.map(MayWait, (mayWait) =>
    BookingWriter.of({
      submit: (order) => Effect.zipRight(mayWait, desk.submit(order)),
      change: (change) => Effect.zipRight(mayWait, desk.change(change))
    }))

/** The queue's units are its own: who has to join one does not queue. */
const unlessJoined = (desk: BookingWriter["Type"], aside: BookingWriter["Type"]): BookingWriter["Type"] =>
  BookingWriter.of({
    submit: (order) => Effect.flatMap(Joined, (joined) => (joined === undefined ? desk : aside).submit(order)),
    change: (change) => Effect.flatMap(Joined, (joined) => (joined === undefined ? desk : aside).change(change))
  })

const broken = ({ defect }: HookDefect) => Effect.die(defect)

/** How often what changed meanwhile is asked again. */
const retries = 5

/** Asks until nothing has changed meanwhile; `again` is true from the second time on. */
const until = <A, E>(ask: (again: boolean) => Effect.Effect<A, E>): Effect.Effect<A, Exclude<E, StaleRead>> => {
  const attempt = (left: number): Effect.Effect<A, Exclude<E, StaleRead>> =>
    Effect.catchAll(ask(left < retries), (error) =>
      error instanceof StaleRead
        ? left === 0 ? Effect.die(error) : attempt(left - 1)
        : Effect.fail(error as Exclude<E, StaleRead>))
  return attempt(retries)
}

type Ask<E> = (request: BookingRequest) => Effect.Effect<BookingRecord, RequestRefusal | E>

const submitting = <E>(ask: Ask<E>) => (order: CreateBooking) =>
  // An order is refused as orders are, whatever else is in its batch.
  until(() => ask({ order })) as Effect.Effect<BookingRecord, CreateRefusal | PaymentStatusRequired | E>

const changing = <E, F>(
  ask: Ask<F>,
  find: (key: UpdateBooking["key"], again: boolean) => Effect.Effect<CachedLocation, E>
) =>
<Tag extends UpdateBooking["_tag"]>(change: Extract<UpdateBooking, { readonly _tag: Tag }>) =>
  // And a change as its kind is: no gate and no payment has a say in it.
  until((again) =>
    Effect.gen(function*() {
      const { livesUntil, ...seen } = yield* find(change.key, again)
      // Judged by the place it may be over earlier than by the clock, so the second time its class is locked in any case.
      const locksClass = again || livesUntil === null || livesUntil <= (yield* currentTime)
      return yield* ask({ change, seen, locksClass })
    })
  ) as Effect.Effect<BookingRecord, UpdateRefusal<Tag>>
