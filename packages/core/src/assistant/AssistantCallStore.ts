import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"

/** The kinds of callers whose calls are recorded. Calls with a key are recorded only if they are made over MCP. */
export const callerKinds = ["application", "key"] as const

/** An assistant's tool call. The record contains no input and no data about guests or staff. */
export interface AssistantCall {
  readonly id: string
  readonly orgId: string
  readonly at: Instant
  readonly callerKind: (typeof callerKinds)[number]
  /** The ID of the grant or key. The caller's name is read from that record. */
  readonly callerId: string
  /** The operation name, such as `bookings.cancel`. */
  readonly operation: string
  /** `done`, `preview` for a call that only previewed its effects, or the error code. */
  readonly outcome: string
  /** The booking that the call names or creates, which may not exist. */
  readonly bookingId: string | null
}

/** A query for one page of an org's calls, newest first. */
export interface AssistantCallQuery {
  readonly orgId: string
  readonly callerId?: string | undefined
  readonly operation?: string | undefined
  /** `from <= at < to`. */
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  /** The last row of the previous page. */
  readonly after: Position | undefined
  readonly limit: number
}

/**
 * Stores assistants' calls. A call must reference an existing org. A write that violates this rule fails as a defect.
 */
export class AssistantCallStore extends Context.Tag("@trailbook/core/AssistantCallStore")<
  AssistantCallStore,
  {
    readonly add: (calls: ReadonlyArray<AssistantCall>) => Effect.Effect<void>
    readonly list: (query: AssistantCallQuery) => Effect.Effect<ReadonlyArray<AssistantCall>>
    /** Deletes up to `limit` calls made before this time, across all orgs. Returns the number of deleted calls. */
    readonly forget: (before: Instant, limit: number) => Effect.Effect<number>
  }
>() {}
