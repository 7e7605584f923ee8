/**
 * Executes booking requests in transactions, and decides which of them run again.
 *
 * A batch is one transaction across offerings and orgs. It locks and loads the rows, decides the requests, stores the
 * results, and appends the events last. A request runs again, alone, in two cases:
 *
 * - The request's result is `StaleRead`.
 * - The batch failed. Running alone keeps one bad request from failing 63 others. If it is unknown whether the commit
 *   succeeded, only creates run again, because their idempotency keys make that safe. Updates fail with the batch, and
 *   their callers must then read the booking, because the result of a retry would not show which attempt made the
 *   change.
 *
 * A request that runs alone has 5 attempts and is retried after `StaleRead`. A create is also retried after a conflict
 * on a unique key. The worst case is therefore 6 attempts. After conflicts, the storage runs a transaction up to 4
 * times (`sql/transaction`), so the worst case is 24 runs. If the database is unavailable, no request in the batch is
 * retried.
 *
 * A retry after `StaleRead` keeps the generated IDs, because nothing was stored. Any other retry gets new IDs. The
 * first attempt may still commit under the old IDs, and the key that conflicted may be a generated reference.
 *
 * Retries run in the batch's fiber. If retries ran in their callers' fibers, a failed batch would start 64 transactions
 * on one place. A retry can lock a place outside its batch's keys, but the database locks serialize such retries.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { CustomerStore } from "../../customer/Customer.ts"
import { OfferingStore, type OrgKey } from "../../offering/OfferingStore.ts"
import { LedgerStore } from "../../payment/ledger/LedgerEntry.ts"
import { makePutPayments } from "../../payment/ledger/toOnlineEntries.ts"
import { EventLog } from "../../port/EventLog.ts"
import { Ids } from "../../port/Ids.ts"
import { databaseRetries, toRetryLabels } from "../../port/telemetry.ts"
import { classifyUnavailability, TenantScope, UnitOfWork } from "../../port/UnitOfWork.ts"
import type { Refusal } from "../../Refusal.ts"
import { SessionStore } from "../../session/Session.ts"
import { TaskStore } from "../../task/Tasks.ts"
import { BookingStore } from "../BookingStore.ts"
import type { BookingRecord } from "../BookingView.ts"
import type { BookingPlacement } from "./BookingLocator.ts"
import {
  type BookingRequest,
  type BookingRequestRefusal,
  getBatchKeys,
  getRequestOrgId,
  type RequestWithIds,
  StaleRead
} from "./BookingRequest.ts"
import { type BatchDecision, decideBatch } from "./decideBatch.ts"
import { makeLoadBatch } from "./loadBatch.ts"

const maxAttemptsAlone = 5

/** A callback that runs in a new booking's transaction, before the booking's events are appended. */
type BeforeCreate<E> = (draft: BookingRecord) => Effect.Effect<void, E>

type Results<E> = ReadonlyArray<Exit.Exit<BookingRecord, BookingRequestRefusal | E>>

/** Creates the executor. `find` returns a booking's currently stored location. */
export const makeExecuteBatch = <E = never>(
  find: (key: OrgKey) => Effect.Effect<BookingPlacement, Refusal<"not_found">>,
  beforeCreate?: BeforeCreate<E>
) =>
  Effect.gen(function*() {
    const { run } = yield* UnitOfWork
    const ids = yield* Ids
    const loadBatch = yield* makeLoadBatch
    const storeBatch = yield* makeStoreBatch(beforeCreate)

    const withIds = (request: BookingRequest): RequestWithIds => ({
      ...request,
      ids: {
        bookingId: ids.uuid(),
        customerId: ids.uuid(),
        reference: ids.reference(),
        handle: ids.handle(),
        checkInToken: ids.handle(),
        paymentId: ids.uuid(),
        taskIds: [ids.uuid(), ids.uuid(), ids.uuid(), ids.uuid()]
      }
    })

    /**
     * Runs requests in a transaction, and calls `onStored` before the commit. If the transaction fails after
     * `onStored`, it is unknown whether the commit succeeded.
     */
    const runInTransaction = (
      requests: ReadonlyArray<RequestWithIds>,
      isFirstAttempt: boolean,
      onStored?: () => void
    ) =>
      withTenants(requests)(run(Effect.gen(function*() {
        const decision = decideBatch(requests, yield* loadBatch(requests, isFirstAttempt))
        const [result] = decision.results
        // A refused batch with a single request fails its transaction, so its locks are released immediately.
        if (requests.length === 1 && result !== undefined && Either.isLeft(result)) {
          return yield* Effect.fail(result.left)
        }
        yield* storeBatch(requests, decision)
        onStored?.()
        return decision.results.map((result) => Exit.fromEither(result))
      })))

    /**
     * Looks up a booking's location again for the next attempt. The next attempt also locks the class, because the
     * place's clock can be ahead of the system clock.
     */
    const prepareRetry = (
      request: RequestWithIds,
      cause: Cause.Cause<unknown>
    ): Effect.Effect<RequestWithIds, Refusal<"not_found">> => {
      const nextRequest = isStale(cause) ? request : withIds(request)
      return "create" in nextRequest
        ? Effect.succeed(nextRequest)
        : Effect.map(find(nextRequest.update.key), (location) => ({ ...nextRequest, location, locksClass: true }))
    }

    const attemptAlone = (
      request: RequestWithIds,
      attempt: number
    ): Effect.Effect<BookingRecord, BookingRequestRefusal | E> =>
      Effect.matchCauseEffect(runInTransaction([request], false), {
        onSuccess: ([exit = missingResult]) => exit,
        onFailure: (cause) =>
          attempt < maxAttemptsAlone && canRetry(request, cause)
            ? Effect.flatMap(
              Effect.zipRight(countRetry(cause), prepareRetry(request, cause)),
              (nextRequest) => attemptAlone(nextRequest, attempt + 1)
            )
            : Effect.failCause(isStale(cause) ? Cause.die(cause.error) : cause)
      })
    const executeOne = (request: BookingRequest) => Effect.suspend(() => attemptAlone(withIds(request), 1))

    /** Returns one result per request. */
    const executeBatch = (requests: ReadonlyArray<BookingRequest>): Effect.Effect<Results<E>> =>
      Effect.gen(function*() {
        let isStored = false
        const requestsWithIds = requests.map(withIds)
        const attempt = yield* Effect.exit(runInTransaction(requestsWithIds, true, () => {
          isStored = true
        }))
        const results: Results<E> = Exit.isSuccess(attempt)
          ? attempt.value
          : requests.map(() => Exit.failCause(attempt.cause))
        const canBeCommitted = isStored && Exit.isFailure(attempt) && !wasRolledBack(attempt.cause)
        const isRetried = (request: BookingRequest, cause: Cause.Cause<unknown>): boolean =>
          Cause.isFailure(cause) ? isStale(cause) : "create" in request || !canBeCommitted
        const retriedRequests = requestsWithIds.flatMap((request, index) => {
          const result = results[index]
          return result !== undefined && Exit.isFailure(result) && isRetried(request, result.cause)
            ? [{ index, request, cause: result.cause }]
            : []
        })
        const retries = yield* executeRequestsIndividually(
          retriedRequests,
          ({ request }) => getBatchKeys(request),
          ({ cause, request }) =>
            Effect.flatMap(prepareRetry(request, cause), (nextRequest) => attemptAlone(nextRequest, 1))
        )
        const retriesByIndex = new Map(retriedRequests.map(({ index }, at) => [index, retries[at]]))
        return results.map((result, index) => retriesByIndex.get(index) ?? result)
      })

    return { executeBatch, executeOne }
  })

const missingResult = Exit.die(new Error("Invariant violated: request without a result"))

const isStale = <E>(cause: Cause.Cause<E>): cause is Cause.Fail<E & StaleRead> =>
  Cause.isFailType(cause) && cause.error instanceof StaleRead

/**
 * Returns whether a transaction that died is certain to have stored nothing, because the database rejected a statement
 * or the transaction lost a conflict. Otherwise, the commit may have succeeded even though no response arrived. Core
 * does not import a storage adapter, so it checks the defect's tag.
 */
const wasRolledBack = (cause: Cause.Cause<unknown>): boolean =>
  classifyUnavailability(cause) === "place" || [...Cause.defects(cause)].some(Predicate.isTagged("StatementFailed"))

const countRetry = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.sync(() => databaseRetries.unsafeUpdate(1, toRetryLabels(isStale(cause) ? "stale_read" : "lost_key")))

/**
 * Returns whether a failed request can be retried. If two transactions insert the same unique key, the loser's retry
 * finds the winner's row.
 */
const canRetry = (request: BookingRequest, cause: Cause.Cause<unknown>): boolean =>
  isStale(cause) || ("create" in request && Cause.isDie(cause) && classifyUnavailability(cause) === undefined)

/**
 * Executes requests one at a time. If the database is unavailable, all remaining requests fail with the same defect. If
 * a lock times out, the remaining requests with the same key fail with that defect. Without these rules, each request
 * would wait for its own timeout, and a batch of 64 could take an hour.
 */
export const executeRequestsIndividually = <In, Out, E, R>(
  inputs: ReadonlyArray<In>,
  keysOf: (input: In) => ReadonlyArray<string>,
  execute: (input: In) => Effect.Effect<Out, E, R>
): Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, never, R> =>
  Effect.gen(function*() {
    const lockedPlaces = new Map<string, Exit.Exit<Out, E>>()
    let outage: Exit.Exit<Out, E> | undefined
    const exits: Array<Exit.Exit<Out, E>> = []
    for (const input of inputs) {
      const keys = keysOf(input)
      const earlierExit = outage ?? keys.map((key) => lockedPlaces.get(key)).find((exit) => exit !== undefined)
      const exit = earlierExit ?? (yield* Effect.exit(execute(input)))
      exits.push(exit)
      if (Exit.isSuccess(exit)) continue
      const reason = classifyUnavailability(exit.cause)
      if (reason === undefined) continue
      // The cause can also contain this request's refusal, which does not apply to the other requests.
      const sharedExit = Exit.failCause(Option.getOrElse(Cause.keepDefects(exit.cause), () => Cause.empty))
      if (reason === "place") { for (const key of keys) lockedPlaces.set(key, sharedExit) }
      else outage = sharedExit
    }
    return exits
  })

const makeStoreBatch = <E>(beforeCreate: BeforeCreate<E> | undefined) =>
  Effect.gen(function*() {
    const bookings = yield* BookingStore
    const customers = yield* CustomerStore
    const ledger = yield* LedgerStore
    const log = yield* EventLog
    const offerings = yield* OfferingStore
    const putPayments = yield* makePutPayments
    const sessions = yield* SessionStore
    const tasks = yield* TaskStore

    return (requests: ReadonlyArray<BookingRequest>, decision: BatchDecision): Effect.Effect<void, E> =>
      Effect.gen(function*() {
        if (decision.offerings.length > 0) yield* offerings.put(decision.offerings)
        if (decision.sessions.length > 0) yield* sessions.put(decision.sessions)
        // An insert waits for concurrent transactions that have inserted the same unique key. All processes sort by key
        // to avoid deadlocks.
        if (decision.customers.length > 0) yield* customers.put(sortBy(decision.customers, ({ email }) => email))
        if (decision.created.length > 0) {
          yield* bookings.put(sortBy(decision.created, ({ idempotency }) => idempotency.key))
        }
        if (decision.updated.length > 0) yield* bookings.update(decision.updated)
        yield* putPayments(decision.payments)
        if (decision.entries.length > 0) yield* ledger.put(decision.entries)
        if (decision.tasks.length > 0) yield* tasks.add(decision.tasks)
        // Run the hook before appending events, because the append locks the org's event sequence and blocks the org's
        // other writers.
        if (beforeCreate !== undefined) {
          yield* Effect.forEach(listCreated(requests, decision), beforeCreate, { discard: true })
        }
        if (decision.events.length > 0) yield* log.append(decision.events)
      })
  })

/** Compares code units so that the order is the same in every process and locale. */
const sortBy = <Row extends OrgKey>(rows: ReadonlyArray<Row>, keyOf: (row: Row) => string): ReadonlyArray<Row> =>
  rows.map((row) => [`${row.orgId} ${keyOf(row)}`, row] as const)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, row]) => row)

/**
 * Returns the bookings that this batch created. Updated bookings, and the existing bookings for repeated idempotency
 * keys, are excluded.
 */
const listCreated = (
  requests: ReadonlyArray<BookingRequest>,
  { created, results }: BatchDecision
): ReadonlyArray<BookingRecord> => {
  const createdBookings = new Set(created)
  return results.flatMap((result, index) =>
    "create" in (requests[index] ?? {}) && Either.isRight(result) && createdBookings.has(result.right.booking)
      ? [result.right]
      : []
  )
}

/** A batch spans several orgs and has no single actor, so the tenant scope is set explicitly. */
const withTenants = (requests: ReadonlyArray<BookingRequest>) =>
  Effect.provideService(TenantScope, [...new Set(requests.map(getRequestOrgId))])
