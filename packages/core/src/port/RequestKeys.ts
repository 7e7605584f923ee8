import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

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
