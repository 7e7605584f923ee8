/**
 * Creates resources once per idempotency key. The key is stored first in the transaction that creates the resources. A
 * concurrent request with the same key waits, conflicts, and finds the result when it is retried. A rejected request
 * stores no key.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Instant } from "../time/Instant.ts"
import { Ids } from "./Ids.ts"
import { retryOnConflict, UnitOfWork } from "./UnitOfWork.ts"

/** An idempotency key for a request. A key belongs to one operation in one org. */
export interface RequestKey {
  readonly orgId: string
  readonly operation: string
  readonly key: string
}

/** An executed request with its key. */
export interface ExecutedRequest extends RequestKey {
  /** A digest of the parsed request, which reveals whether a different request reused the key. */
  readonly fingerprint: string
  /** The IDs of the created resources. */
  readonly made: ReadonlyArray<string>
  readonly madeAt: Instant
}

/**
 * Stores the idempotency keys for requests that created resources. Keys are kept forever. The response to a repeated
 * request contains the current state of the created resources. Bookings store their own keys.
 *
 * A key references its org and is unique within an operation in that org. A write that violates these rules fails as a
 * defect.
 */
export class RequestKeys extends Context.Tag("@trailbook/core/RequestKeys")<
  RequestKeys,
  {
    readonly find: (key: RequestKey) => Effect.Effect<Option.Option<ExecutedRequest>>
    /**
     * Stores a new key. If another transaction has just stored the same key, waits for that transaction to end and then
     * dies.
     */
    readonly bind: (request: ExecutedRequest) => Effect.Effect<void>
  }
>() {}

/** A request with its idempotency key. */
export interface IdempotentRequest extends RequestKey {
  readonly fingerprint: string
  /**
   * Whether the key was derived from the request's text because the caller sent none. Once the result has been canceled
   * or deleted, the same text counts as a new request.
   */
  readonly derived: boolean
}

/** The current state of an earlier request's result. */
export interface ExistingResult<A> {
  /** Whether the result has since been canceled or deleted, or has expired. */
  readonly isObsolete: boolean
  readonly result: Effect.Effect<A, Conflict>
}

/** Creates a result, or loads it for a repeated request. */
export interface IdempotentAction<A, E> {
  /** The IDs of the resources that `make` creates. */
  readonly createdIds: ReadonlyArray<string>
  /** Creates the result, inside the transaction that stores the key. */
  readonly make: Effect.Effect<A, E>
  readonly replay: (keptRequest: ExecutedRequest) => Effect.Effect<ExistingResult<A>>
}

type Conflict = Refusal<"idempotency_conflict">

export const makeIdempotencyConflict = (message?: string): Conflict => refuse("idempotency_conflict", message)

/** Returns the refusal for a key whose result was deleted. */
export const makeResultDeletedRefusal = (resource: string, id: string): Conflict =>
  makeIdempotencyConflict(
    `The ${resource} ${id} was created with this idempotency_key and then deleted. Use a new key for a new request.`
  )

/**
 * Returns two functions. `make` creates the result in a transaction. Without a key, `make` creates a result on every
 * call. `known` returns an existing result without a transaction, for callers that must first call an external service.
 */
export const makeIdempotentRunner = Effect.gen(function*() {
  const ids = yield* Ids
  const keys = yield* RequestKeys
  const { run } = yield* UnitOfWork

  /**
   * Finds the result for a key. A derived key is replaced by the first key in its sequence whose result was not
   * canceled or deleted.
   */
  const findExisting = <A>(
    keyedRequest: IdempotentRequest,
    replay: IdempotentAction<A, never>["replay"]
  ): Effect.Effect<{ readonly keyed: IdempotentRequest; readonly existing: ExistingResult<A> | undefined }, Conflict> =>
    Effect.gen(function*() {
      const keptRequest = Option.getOrUndefined(yield* keys.find(keyedRequest))
      if (keptRequest === undefined) return { keyed: keyedRequest, existing: undefined }
      if (keptRequest.fingerprint !== keyedRequest.fingerprint) return yield* makeIdempotencyConflict()
      const existing = yield* replay(keptRequest)
      return existing.isObsolete && keyedRequest.derived
        ? yield* findExisting(
          { ...keyedRequest, key: deriveNextIdempotencyKey(ids, keyedRequest.orgId, keyedRequest.key) },
          replay
        )
        : { keyed: keyedRequest, existing }
    })

  return {
    known: <A>(
      keyedRequest: IdempotentRequest | undefined,
      replay: IdempotentAction<A, never>["replay"]
    ): Effect.Effect<Option.Option<A>, Conflict> =>
      Effect.gen(function*() {
        if (keyedRequest === undefined) return Option.none()
        const { existing } = yield* findExisting(keyedRequest, replay)
        return existing === undefined ? Option.none() : Option.some(yield* existing.result)
      }),
    make: <A, E>(
      keyedRequest: IdempotentRequest | undefined,
      { replay, createdIds, make }: IdempotentAction<A, E>
    ): Effect.Effect<A, E | Conflict> =>
      keyedRequest === undefined ? run(make) : retryOnConflict(run(Effect.gen(function*() {
        const { existing, keyed: { derived: _, ...request } } = yield* findExisting(keyedRequest, replay)
        if (existing !== undefined) return yield* existing.result
        yield* keys.bind({ ...request, made: createdIds, madeAt: yield* currentTime })
        return yield* make
      })))
  }
})

/** Derives an idempotency key, a version 8 UUID, from a string. The same string always produces the same key. */
export const deriveIdempotencyKey = ({ digest }: Pick<Ids["Type"], "digest">, text: string): string => {
  const hex = digest(text)
  const slice = (from: number, to: number) => hex.slice(from, to)
  return `${slice(0, 8)}-${slice(8, 12)}-8${slice(12, 15)}-a${slice(15, 18)}-${slice(18, 30)}`
}

/**
 * Returns the key for the next request with the same text, once the result of this request has been canceled or
 * deleted. The text alone cannot distinguish the two requests.
 */
export const deriveNextIdempotencyKey = (ids: Pick<Ids["Type"], "digest">, orgId: string, key: string): string =>
  deriveIdempotencyKey(ids, `${orgId} ${key}`)
