/** A batch as one unit of work: locked, read, decided and written. */
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
   * Given where none of the requests can have been decided before, and called when the work is done: whatever fails from
   * here on, its commit may have happened.
   */
  onFirstWritten?: () => void
) => Effect.Effect<ReadonlyArray<Exit.Exit<BookingRecord, RequestRefusal | E>>>

/**
 * Decides a batch and answers each request. `admit` is asked about orders that are
 * alone in their unit of work. Who is alone and refused ends their unit: nothing
 * of it stays locked, in a transaction of the host's neither.
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
        // New rows wait at their unique keys for those of other units, so they are written in the order of these keys.
        if (decided.customers.length > 0) yield* customers.put(inOrder(decided.customers, ({ email }) => email))
        if (decided.bookings.length > 0) {
          yield* bookings.put(inOrder(decided.bookings, ({ idempotency }) => idempotency.key))
        }
        if (decided.payments.length > 0) yield* payments.put(decided.payments)
        if (decided.tasks.length > 0) yield* taskStore.add(decided.tasks)
        // Before the counter of events, which everybody else of the org would have to wait for.
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
 * One request by itself. An order may still lose a unique key to another process,
 * and is made again under its own key. A change is not: nobody would know what it
 * found the second time, its own work or that of others.
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
 * A batch, and its requests one by one when it failed as a whole. Where nobody can
 * know whether it was stored, its changes share its failure: their callers ask
 * again, and are told what is true then.
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

/** The same for all processes: within each org by code units. */
const inOrder = <Row extends OrgKey>(rows: ReadonlyArray<Row>, key: (row: Row) => string): ReadonlyArray<Row> =>
  rows.map((row) => [`${row.orgId} ${key(row)}`, row] as const)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, row]) => row)

/** The bookings that were made, and not those that were changed or that repeated orders had made before. */
const newOf = (
  requests: ReadonlyArray<BookingRequest>,
  { answers, bookings }: BatchDecision
): ReadonlyArray<BookingRecord> => {
  const written = new Set(bookings)
  return answers.flatMap((answer, at) =>
    "order" in (requests[at] ?? {}) && Either.isRight(answer) && written.has(answer.right.booking) ? [answer.right] : []
  )
}

/** A batch is nobody's own request: whose work it is has to be said. */
const withTenants = (requests: ReadonlyArray<BookingRequest>) =>
  Effect.provideService(TenantScope, [...new Set(requests.map(orgIdOfRequest))])
