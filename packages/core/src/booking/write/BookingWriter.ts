/**
 * Creates and updates bookings in batches. A batch is one transaction across offerings and orgs: lock all places in
 * order, read the facts, decide the requests one after another in memory, and write everything, events last.
 *
 * Each request gets its own result, so a refusal does not affect other requests. If a batch fails, its requests are
 * retried individually, so that one bad request cannot fail 63 others. Every create has an idempotency key, from the
 * caller or generated. If the commit succeeded but its result was lost, the retry finds the booking instead of creating
 * another. An update is not retried in that case. Its caller gets an error with an unknown outcome and must read the
 * booking.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as KeyedBatcher from "../../concurrency/KeyedBatcher.ts"
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

/** The number of concurrent transactions, the maximum batch size, and the delay in which requests join a batch. */
export type BatchOptions = Pick<Parameters<typeof KeyedBatcher.make>[0], "lanes" | "batch" | "gather">

export class BookingWriter extends Context.Tag("@trailbook/core/BookingWriter")<
  BookingWriter,
  {
    /** Creates one booking per idempotency key. If payment can be due, the request must contain the payment account. */
    readonly submit: (
      order: CreateBooking
    ) => Effect.Effect<BookingRecord, CreateRefusal | PaymentStatusRequired | HookRefusal>
    /** Updates one booking. A repeated update changes nothing. */
    readonly change: <Tag extends UpdateBooking["_tag"]>(
      change: Extract<UpdateBooking, { readonly _tag: Tag }>
    ) => Effect.Effect<BookingRecord, UpdateRefusal<Tag>>
  }
>() {
  /** Executes requests in batches. The options depend on the storage. */
  static readonly layer = (options: BatchOptions) =>
    Layer.scoped(
      BookingWriter,
      Effect.gen(function*() {
        const decide = yield* makeExecuteBatch()
        const { find, remember } = yield* makeCachedLocator
        const findAlone = yield* makeLocator
        const coalescer = yield* KeyedBatcher.make({
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
   * Executes each request immediately, in its own transaction. Only the locks of the storage separate concurrent
   * requests.
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
   * Runs the host's hook for each create. Every create has its own transaction, so that the result and the duration of
   * the hook affect no other request, except those for the same place. Updates do not run the hook, but have their own
   * transactions too. In a batch, one could block all others while it waits for a place that the hook keeps locked.
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
        const coalescer = yield* KeyedBatcher.make({
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

/** A fiber that holds a transaction must not enqueue: the batch could wait for that transaction forever. */
const queued = (desk: BookingWriter["Type"]): Effect.Effect<BookingWriter["Type"]> =>
  Effect.map(MayWait, (mayWait) =>
    BookingWriter.of({
      submit: (order) => Effect.zipRight(mayWait, desk.submit(order)),
      change: (change) => Effect.zipRight(mayWait, desk.change(change))
    }))

/** The queue runs its own transactions, so a request inside a transaction of the host bypasses it. */
const unlessJoined = (desk: BookingWriter["Type"], aside: BookingWriter["Type"]): BookingWriter["Type"] =>
  BookingWriter.of({
    submit: (order) => Effect.flatMap(Joined, (joined) => (joined === undefined ? desk : aside).submit(order)),
    change: (change) => Effect.flatMap(Joined, (joined) => (joined === undefined ? desk : aside).change(change))
  })

const broken = ({ defect }: HookDefect) => Effect.die(defect)

/** Maximum number of retries after a stale read. */
const retries = 5

/** Retries until no read is stale. `again` is true for each retry. */
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
  // The cast is safe: a create fails only with the errors of creates, regardless of other requests in its batch.
  until(() => ask({ order })) as Effect.Effect<BookingRecord, CreateRefusal | PaymentStatusRequired | E>

const changing = <E, F>(
  ask: Ask<F>,
  find: (key: UpdateBooking["key"], again: boolean) => Effect.Effect<CachedLocation, E>
) =>
<Tag extends UpdateBooking["_tag"]>(change: Extract<UpdateBooking, { readonly _tag: Tag }>) =>
  // The cast is safe: an update fails only with the errors of its kind, and never with those of the hook or of
  // payments.
  until((again) =>
    Effect.gen(function*() {
      const { livesUntil, ...seen } = yield* find(change.key, again)
      // The place's clock can be ahead of the system clock, so a retry locks the class in any case.
      const locksClass = again || livesUntil === null || livesUntil <= (yield* currentTime)
      return yield* ask({ change, seen, locksClass })
    })
  ) as Effect.Effect<BookingRecord, UpdateRefusal<Tag>>
