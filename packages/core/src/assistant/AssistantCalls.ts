import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Actor } from "../actor/Actor.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import type { Position } from "../wire/Cursor.ts"

/** Records assistants' tool calls for the owner. */
export class AssistantCalls extends Context.Tag("@trailbook/core/AssistantCalls")<
  AssistantCalls,
  {
    /**
     * Records a call by an application or with an API key. Recording runs in the background, so that it never delays or
     * fails the call. If the process is killed, the calls from the last second are lost.
     */
    readonly note: (
      actor: Actor["Type"],
      call: Pick<AssistantCall, "operation" | "outcome" | "bookingId">
    ) => Effect.Effect<void>
    /** Returns a page of calls, including every call that this process has recorded. */
    readonly list: AssistantCallStore["Type"]["list"]
    /** Deletes up to `limit` calls that are older than 90 days. Returns the number of deleted calls. */
    readonly forget: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.scoped(AssistantCalls, Effect.suspend(() => makeAssistantCalls))
}

const makeAssistantCalls = Effect.gen(function*() {
  const ids = yield* Ids
  const store = yield* AssistantCallStore
  const scope = yield* Effect.scope
  // Store one batch at a time, so that batches do not pile up while the database hangs.
  const semaphore = yield* Effect.makeSemaphore(1)
  let pendingCalls: Array<AssistantCall> = []

  const flush = Effect.suspend(() => {
    const calls = pendingCalls
    pendingCalls = []
    return calls.length === 0 ? Effect.void : store.add(calls).pipe(
      Effect.provideService(TenantScope, [...new Set(calls.map(({ orgId }) => orgId))]),
      Effect.catchAllCause((cause) => Effect.logWarning("Could not record assistant tool calls", cause))
    )
  }).pipe(Effect.uninterruptible, semaphore.withPermits(1))
  yield* Effect.addFinalizer(() => flush)

  return AssistantCalls.of({
    note: (actor, call) =>
      actor._tag !== "Application" && actor._tag !== "Key" ? Effect.void : Effect.flatMap(currentTime, (at) => {
        // The database is slow or unavailable. Drop the record, because the call matters more.
        if (pendingCalls.length >= maxPending) return Effect.void
        const caller = actor._tag === "Key"
          ? { callerKind: "key", callerId: actor.keyId } as const
          : { callerKind: "application", callerId: actor.grantId } as const
        pendingCalls.push({ ...call, ...caller, id: ids.uuid(), orgId: actor.orgId, at })
        return pendingCalls.length > 1
          ? Effect.void
          : Effect.asVoid(Effect.forkIn(Effect.delay(flush, flushDelay), scope))
      }),
    list: (query) => Effect.zipRight(flush, store.list(query)),
    forget: (limit) =>
      Effect.flatMap(currentTime, (now) => store.forget(Instant.addMinutes(now, -retentionDays * 24 * 60), limit))
  })
})

const flushDelay = "1 second"
const maxPending = 10_000
const retentionDays = 90

/** The kinds of callers whose calls are recorded. Calls with a key are recorded only if they are made over MCP. */
export const callerKinds = ["application", "key"] as const

/** An assistant's tool call. The record contains no input and no data about guests or staff. */
export interface AssistantCall {
  readonly id: string
  readonly orgId: string
  readonly at: Instant.Instant
  readonly callerKind: (typeof callerKinds)[number]
  /** The ID of the grant or key. The caller's name is read from that record. */
  readonly callerId: string
  /** The operation name, such as `bookings.cancel`. */
  readonly operation: string
  /** `done`, `preview` for a call that only previewed its effects, or the error code. */
  readonly outcome: string
  /** The booking that the call names or creates. It may not exist. */
  readonly bookingId: string | null
}

/** A query for one page of an org's calls, newest first. */
export interface AssistantCallQuery {
  readonly orgId: string
  readonly callerId?: string | undefined
  readonly operation?: string | undefined
  /** `from <= at < to`. */
  readonly from?: Instant.Instant | undefined
  readonly to?: Instant.Instant | undefined
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
    readonly forget: (before: Instant.Instant, limit: number) => Effect.Effect<number>
  }
>() {}
