import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Instant } from "../time/Instant.ts"

/** An idempotency key of a request. It belongs to an operation of an org. */
export interface RequestKey {
  readonly orgId: string
  readonly operation: string
  readonly key: string
}

/** A request that was executed under its key. */
export interface KeptRequest extends RequestKey {
  /** A digest of the parsed request, to detect another request with the same key. */
  readonly fingerprint: string
  /** The IDs of the created resources. */
  readonly made: ReadonlyArray<string>
  readonly madeAt: Instant
}

/**
 * The idempotency keys of requests that created resources. Keys are kept forever. A repeated request is answered with
 * the current state of the created rows. Bookings store their keys themselves.
 *
 * A key is unique within an operation of an org, and refers to its org. Storing one that breaks this is a defect.
 */
export class RequestKeys extends Context.Tag("@trailbook/core/RequestKeys")<
  RequestKeys,
  {
    readonly find: (key: RequestKey) => Effect.Effect<Option.Option<KeptRequest>>
    /** Stores a new key. If another transaction has just stored the same key, waits for it to end and then dies. */
    readonly bind: (request: KeptRequest) => Effect.Effect<void>
  }
>() {}
