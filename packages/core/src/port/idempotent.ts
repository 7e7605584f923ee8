/**
 * Making something once for one key, however often the request is sent. The key is
 * bound in the unit of work that makes it, first of all: of two requests at the
 * same moment the second waits there, loses, and when it tries again finds what
 * the first has made. A refused request binds nothing.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Refusal, refuse } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import { nextDerivedKey } from "./deriveIdempotencyKey.ts"
import { Ids } from "./Ids.ts"
import { type KeptRequest, type RequestKey, RequestKeys } from "./RequestKeys.ts"
import { retryOnConflict } from "./retryOnConflict.ts"
import { UnitOfWork } from "./UnitOfWork.ts"

/**
 * Under which key something is asked for, and what.
 *
 * @category models
 */
export interface KeyedRequest extends RequestKey {
  readonly fingerprint: string
  /**
   * The key was made of the request's words, because its caller gave none. Once what
   * was made under it is over, the same words are a new request.
   */
  readonly derived: boolean
}

/**
 * What was made under a key, as it stands now.
 *
 * @category models
 */
export interface ExistingResult<A> {
  /** It was cancelled or deleted since. */
  readonly over: boolean
  readonly answer: Effect.Effect<A, Conflict>
}

/**
 * How something is made, and how its answer is made again.
 *
 * @category models
 */
export interface IdempotentAction<A, E> {
  /** The ids of what `make` makes. */
  readonly made: ReadonlyArray<string>
  /** Runs in the unit of work that the key is bound in. */
  readonly make: Effect.Effect<A, E>
  readonly again: (kept: KeptRequest) => Effect.Effect<ExistingResult<A>>
}

type Conflict = Refusal<"idempotency_conflict">

/**
 * @category errors
 */
export const idempotencyConflict = (message?: string): Conflict => refuse("idempotency_conflict", message)

/**
 * The refusal when what a key has made is not there any more.
 *
 * @category errors
 */
export const resultDeleted = (what: string, id: string): Conflict =>
  idempotencyConflict(
    `The ${what} ${id}, made with this idempotency_key, was deleted since; use a new key for another.`
  )

/**
 * `make` makes it in a unit of work; without a key, each time. `known` answers
 * without one when the key has made it already, for who must ask others first.
 *
 * @category running
 */
export const makeIdempotent = Effect.gen(function*() {
  const ids = yield* Ids
  const keys = yield* RequestKeys
  const { run } = yield* UnitOfWork

  /** What stands under the key, and the key it is: of a derived one the first under which nothing is over. */
  const look = <A>(
    keyed: KeyedRequest,
    again: IdempotentAction<A, never>["again"]
  ): Effect.Effect<{ readonly keyed: KeyedRequest; readonly standing: ExistingResult<A> | undefined }, Conflict> =>
    Effect.gen(function*() {
      const kept = Option.getOrUndefined(yield* keys.find(keyed))
      if (kept === undefined) return { keyed, standing: undefined }
      if (kept.fingerprint !== keyed.fingerprint) return yield* idempotencyConflict()
      const standing = yield* again(kept)
      return standing.over && keyed.derived
        ? yield* look({ ...keyed, key: nextDerivedKey(ids, keyed.orgId, keyed.key) }, again)
        : { keyed, standing }
    })

  return {
    known: <A>(
      keyed: KeyedRequest | undefined,
      again: IdempotentAction<A, never>["again"]
    ): Effect.Effect<Option.Option<A>, Conflict> =>
      Effect.gen(function*() {
        if (keyed === undefined) return Option.none()
        const { standing } = yield* look(keyed, again)
        return standing === undefined ? Option.none() : Option.some(yield* standing.answer)
      }),
    make: <A, E>(
      keyed: KeyedRequest | undefined,
      { again, made, make }: IdempotentAction<A, E>
    ): Effect.Effect<A, E | Conflict> =>
      keyed === undefined ? run(make) : retryOnConflict(run(Effect.gen(function*() {
        const { standing, keyed: { derived: _, ...request } } = yield* look(keyed, again)
        if (standing !== undefined) return yield* standing.answer
        yield* keys.bind({ ...request, made, madeAt: yield* currentTime })
        return yield* make
      })))
  }
})
