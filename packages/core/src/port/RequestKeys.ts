import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

/**
 * A key that a caller made for one request. It belongs to an operation of an org.
 *
 * @category models
 */
export interface RequestKey {
  readonly orgId: string
  readonly operation: string
  readonly key: string
}

/**
 * A request that was carried out under its key.
 *
 * @category models
 */
export interface KeptRequest extends RequestKey {
  /** Of the request as it was read: another request under the key has another one. */
  readonly fingerprint: string
  /** The ids of what it made. */
  readonly made: ReadonlyArray<string>
  readonly madeAt: Instant
}

/**
 * Which requests have made something, so that a request that is sent again makes
 * nothing more. Keys are kept for good: what an answer is made of again are the
 * rows that the request made, as they are now. Bookings hold their keys
 * themselves.
 *
 * No two requests of an operation of an org have one key, and each refers to its
 * org. What breaks this is not stored: that is a defect.
 *
 * @category ports
 */
export class RequestKeys extends Context.Tag("@trailbook/core/RequestKeys")<
  RequestKeys,
  {
    readonly find: (key: RequestKey) => Effect.Effect<Option.Option<KeptRequest>>
    /**
     * Stores a request under a key that is new. Who binds a key that another unit of
     * work has just bound waits until that has ended, and then dies of it.
     */
    readonly bind: (request: KeptRequest) => Effect.Effect<void>
  }
>() {}
