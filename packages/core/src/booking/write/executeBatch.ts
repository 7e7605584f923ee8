/** Executes a batch of booking requests in one transaction: lock, read, decide, write. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { CustomerStore } from "../../customer/CustomerStore.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { PaymentStore } from "../../payment/PaymentStore.ts"
import { EventLog } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { retryOnConflict } from "../../port/retryOnConflict.ts"
import { TenantScope } from "../../port/TenantScope.ts"
import { UnitOfWork } from "../../port/UnitOfWork.ts"
import { wasRolledBack } from "../../port/wasRolledBack.ts"
import { SessionStore } from "../../session/SessionStore.ts"
import { TaskStore } from "../../task/TaskStore.ts"
import { BookingStore } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import { batchKeys, type BookingRequest, orgIdOfRequest, type RequestWithIds } from "./BookingRequest.ts"
import { type BatchDecision, decideBatch, type RequestRefusal } from "./decideBatch.ts"
import { makeLoadBatch } from "./loadBatch.ts"
import { retryIndividually } from "./retryIndividually.ts"

type Decide<E> = (
  requests: ReadonlyArray<BookingRequest>,
  /**
   * Called when all rows are written and only the commit is left. A failure after this call leaves the outcome of the
   * transaction unknown. Pass it only on the first attempt: without an earlier attempt, a generated idempotency key
   * cannot exist yet, so the batch skips the query for it.
   */
  onFirstWritten?: () => void
) => Effect.Effect<ReadonlyArray<Exit.Exit<BookingRecord, RequestRefusal | E>>>

/**
 * Returns one result per request. `admit` runs for new bookings, before the commit; use it only with batches of one
 * request.
 *
 * A refused batch of one request fails its transaction, so its locks are released immediately, even inside a
 * transaction of the host.
 */
export const makeExecuteBatch = <E = never>(admit?: (made: BookingRecord) => Effect.Effect<void, E>) =>
  Effect.gen(function*() {
    const bookings = yield* BookingStore
    const customers = yield* CustomerStore
    const ids = yield* Ids
    const log = yield* EventLog
    const offerings = yield* OfferingStore
    const payments = yield* PaymentStore
    const taskStore = yield* TaskStore
    const sessions = yield* SessionStore
    const { run } = yield* UnitOfWork
    const read = yield* makeLoadBatch

    const drawn = (request: BookingRequest): RequestWithIds =>
      "change" in request ?
        { ...request, paymentId: ids.uuid(), taskIds: [ids.uuid(), ids.uuid(), ids.uuid(), ids.uuid()] } :
        {
          ...request,
          draw: {
            bookingId: ids.uuid(),
            customerId: ids.uuid(),
            reference: ids.reference(),
            handle: ids.handle(),
            taskId: ids.uuid(),
            payment: { id: ids.uuid(), taskIds: [ids.uuid(), ids.uuid()] }
          }
        }

    const write = (requests: ReadonlyArray<BookingRequest>, decided: BatchDecision) =>
      Effect.gen(function*() {
        if (decided.offerings.length > 0) yield* offerings.put(decided.offerings)
        if (decided.sessions.length > 0) yield* sessions.put(decided.sessions)
        // Inserts block on the unique keys of concurrent transactions. All processes sort by key to avoid deadlocks.
        if (decided.customers.length > 0) yield* customers.put(inOrder(decided.customers, ({ email }) => email))
        if (decided.bookings.length > 0) {
          yield* bookings.put(inOrder(decided.bookings, ({ idempotency }) => idempotency.key))
        }
        if (decided.payments.length > 0) yield* payments.put(decided.payments)
        if (decided.tasks.length > 0) yield* taskStore.add(decided.tasks)
        // Run the hook before appending events: the append locks the org's event sequence and blocks its other writers.
        if (admit !== undefined) yield* Effect.forEach(newOf(requests, decided), admit, { discard: true })
        if (decided.events.length > 0) yield* log.append(decided.events)
      })

    const unit = (requests: ReadonlyArray<BookingRequest>, onFirstWritten: (() => void) | undefined) =>
      withTenants(requests)(run(Effect.gen(function*() {
        const decided = decideBatch(requests.map(drawn), yield* read(requests, onFirstWritten !== undefined))
        const [answer] = decided.answers
        if (requests.length === 1 && answer !== undefined && Either.isLeft(answer)) {
          return yield* Effect.fail(answer.left)
        }
        yield* write(requests, decided)
        onFirstWritten?.()
        return decided.answers.map((answer) => Exit.fromEither(answer))
      })))

    const decide: Decide<E> = (requests, onFirstWritten) =>
      Effect.catchAll(unit(requests, onFirstWritten), (refusal) => Effect.succeed([Exit.fail(refusal)]))
    return decide
  })

/**
 * Executes a single request. A create that loses a unique-key conflict to another process is retried under the same
 * idempotency key. An update is not retried: the second result would not show which attempt, or which other caller,
 * made the change.
 */
export const executeOne = <E>(
  decide: Decide<E>,
  request: BookingRequest
): Effect.Effect<BookingRecord, RequestRefusal | E> =>
  Effect.flatMap(
    "order" in request ? retryOnConflict(decide([request])) : decide([request]),
    ([answer]) => answer ?? Effect.dieMessage("A request was left without an answer.")
  )

/**
 * Executes a batch and, if the whole batch fails, retries its requests individually.
 *
 * If the outcome of the commit is unknown, only creates are retried: their idempotency keys make that safe. Updates
 * fail with the batch, and their callers must read the booking and decide whether to retry.
 */
export const executeBatchOrSplit = <E>(
  decide: Decide<E>,
  requests: ReadonlyArray<BookingRequest>
): ReturnType<Decide<E>> =>
  Effect.suspend(() => {
    let isWritten = false
    const batch = decide(requests, () => {
      isWritten = true
    })
    return Effect.catchAllCause(batch, (cause) => {
      const isKnown = !isWritten || wasRolledBack(cause)
      const repeated = requests.filter((request) => isKnown || "order" in request)
      return Effect.map(retryIndividually(repeated, batchKeys, (request) => executeOne(decide, request)), (answers) => {
        const answerTo = new Map(repeated.map((request, at) => [request, answers[at]]))
        return requests.map((request) => answerTo.get(request) ?? Exit.failCause(cause))
      })
    })
  })

/** Compares code units, so that the order is the same in every process and locale. */
const inOrder = <Row extends OrgKey>(rows: ReadonlyArray<Row>, key: (row: Row) => string): ReadonlyArray<Row> =>
  rows.map((row) => [`${row.orgId} ${key(row)}`, row] as const)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, row]) => row)

/** The bookings created by this batch, without updated bookings and without those of repeated idempotency keys. */
const newOf = (
  requests: ReadonlyArray<BookingRequest>,
  { answers, bookings }: BatchDecision
): ReadonlyArray<BookingRecord> => {
  const written = new Set(bookings)
  return answers.flatMap((answer, at) =>
    "order" in (requests[at] ?? {}) && Either.isRight(answer) && written.has(answer.right.booking) ? [answer.right] : []
  )
}

/** A batch spans several orgs and has no single actor, so the tenant scope is set explicitly. */
const withTenants = (requests: ReadonlyArray<BookingRequest>) =>
  Effect.provideService(TenantScope, [...new Set(requests.map(orgIdOfRequest))])
