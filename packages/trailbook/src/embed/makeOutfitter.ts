import type { Event } from "@trailbook/client/operations"
import { type Result, TrailbookError } from "@trailbook/client/TrailbookError"
import { Refusal } from "@trailbook/core"
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Bookings, bookingView } from "@trailbook/core/booking"
import { eventTypes } from "@trailbook/core/event"
import { operations } from "@trailbook/core/layer"
import { BoundedQueue, Registry } from "@trailbook/core/operation"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Struct from "effect/Struct"
import { setTimeout } from "node:timers/promises"
import type { EventSubscriber } from "./hook/EventSubscriber.ts"
import type { CallGate, EffectRunner, Lifecycle } from "./Lifecycle.ts"
import { parseActorDetails, toJsonValue } from "./option/parseDetails.ts"
import type {
  ActorOptions,
  EventsOptions,
  ExportPart,
  OperationMethods,
  Outfitter,
  ResultOperationMethods
} from "./Outfitter.ts"
import { toTrailbookError } from "./toTrailbookError.ts"

/** Returns the ID of the org. It runs on each call, because the ID may be unknown until the database is open. */
type OrgIdFinder = (call: EffectRunner) => Promise<string>

/** Creates an outfitter's API for an actor. */
export const makeOutfitter = (
  lifecycle: Lifecycle,
  findOrgId: OrgIdFinder,
  on: EventSubscriber,
  actor: ActorOptions = {}
): Outfitter => {
  const { calls, tried } = makeCalls(lifecycle, findOrgId, actor)
  const events = (options?: EventsOptions): AsyncIterableIterator<Event> =>
    makeEventStream(calls.events.list, lifecycle.ended, options)
  return {
    ...calls,
    events: Object.assign(events, calls.events),
    exported: () => exportStream(lifecycle, findOrgId, actor),
    on: (type, handler, options) => {
      if (actor.scopes?.includes("read") === false) throw toTrailbookError(mayNotRead)
      return on(type, handler, options)
    },
    try: tried,
    within: (transaction) => {
      const { calls, tried } = makeCalls(lifecycle.within(transaction), findOrgId, actor)
      return { ...Struct.omit(calls, "webhooks"), try: Struct.omit(tried, "webhooks") }
    },
    paid: async ({ cents = null, currency = null, id, payment_id: paymentId = null, payment_intent_id: intent }) =>
      lifecycle.runCall(async (call) => {
        const key = { orgId: await findOrgId(call), id }
        return call.run(
          Effect.flatMap(
            Bookings,
            ({ pay }) => Effect.map(pay(key, intent, { paymentId, cents, currency }), bookingView)
          )
        )
      }),
    as: (input) => {
      const { scopes = actor.scopes, source = actor.source } = parseOptions(input)
      return makeOutfitter(lifecycle, findOrgId, on, { scopes, source })
    }
  }
}

/** Validates the actor, because a mistake would otherwise not surface until a later booking. */
const parseOptions = (input: ActorOptions): ActorOptions =>
  Either.getOrThrowWith(Effect.runSync(Effect.either(parseActorDetails(input))), toTrailbookError)

const mayNotRead = new Refusal({ code: "forbidden", message: "on: requires the read scope" })

/** Creates an outfitter's operations for an actor. */
const makeCalls = (
  entrance: CallGate,
  findOrgId: OrgIdFinder,
  { scopes, source }: ActorOptions
): { readonly calls: OperationMethods; readonly tried: ResultOperationMethods } => {
  const run = (name: string, input: unknown): Promise<unknown> =>
    entrance.runCall(async (call) => {
      const json = toJsonValue(input)
      const actor = makeHostActor({ orgId: await findOrgId(call), source, scopes })
      return call.run(
        Effect.flatMap(Registry, (registry) => registry.run(name, json)).pipe(Effect.provideService(Actor, actor)),
        actor.orgId
      )
    })
  const runAsResult = async (name: string, input: unknown): Promise<Result<unknown>> => {
    try {
      return { ok: true, value: await run(name, input) }
    } catch (error) {
      if (error instanceof TrailbookError) return { ok: false, error }
      throw error
    }
  }
  // The casts are safe because the types derive from the same declarations as the names, and the registry validates the
  // input.
  return {
    calls: groupOperations(run) as unknown as OperationMethods,
    tried: groupOperations(runAsResult) as unknown as ResultOperationMethods
  }
}

type Call<A> = (input?: unknown) => Promise<A>

/** Groups the operations by prefix: `bookings.create` becomes `bookings` with a `create` method. */
const groupOperations = <A>(
  call: (name: string, input: unknown) => Promise<A>
): Record<string, Record<string, Call<A>>> => {
  const groups: Record<string, Record<string, Call<A>>> = {}
  for (const { name } of operations) {
    const [group = "", action = ""] = name.split(".")
    groups[group] = { ...groups[group], [action]: (input) => call(name, input) }
  }
  return groups
}

/**
 * Streams events by polling `events.list`. While the database is unavailable, the cursor does not advance, so no event
 * is lost.
 */
export async function* makeEventStream(
  list: OperationMethods["events"]["list"],
  endSignal: AbortSignal,
  { after = 0, intervalMs = 1000, signal, type }: EventsOptions = {}
): AsyncGenerator<Event, undefined, undefined> {
  // Reject an unknown type, because the iteration would never yield an event.
  if (type !== undefined && !eventTypes.includes(type)) {
    throw new TypeError(`type: must be one of ${eventTypes.join(", ")}`)
  }
  // Give each iteration its own signal, because Node warns about more than 10 listeners on one signal.
  const over = AbortSignal.any(signal === undefined ? [endSignal] : [endSignal, signal])
  let cursor = after
  while (!over.aborted) {
    const page = await list({ after: cursor, type, limit: pageSize }).catch(ignoreAfterEnd(over))
    for (const event of page?.data ?? []) {
      yield event
      if (over.aborted) return
    }
    cursor = page?.next_after ?? cursor
    if (page === undefined || page.data.length < pageSize) await pause(intervalMs, over)
  }
}

const pageSize = 100

const ignoreAfterEnd = (over: AbortSignal) => (error: unknown): undefined => {
  // Ignore errors after the iteration has ended, because the closed database can cause them.
  if (over.aborted || error instanceof TrailbookError && error.retryable) return undefined
  throw error
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal: over }).catch((error: unknown) => {
    if (!over.aborted) throw error
  })

/** Streams an export. Produces a part only after the caller has consumed the previous one. */
export async function* exportStream(
  entrance: CallGate,
  findOrgId: OrgIdFinder,
  { scopes, source }: ActorOptions
): AsyncGenerator<ExportPart, undefined, undefined> {
  const parts = new BoundedQueue<ExportPart>(1)
  const run = entrance.runCall(async (call) => {
    const actor = makeHostActor({ orgId: await findOrgId(call), source, scopes })
    // The cast is safe because the registry returns the type that the operation declares.
    const emit = (part: unknown) => parts.offer(part as ExportPart)
    const stream = Effect.flatMap(Registry, (registry) => registry.stream("org.export", {}, emit))
    return call.run(Effect.provideService(stream, Actor, actor), actor.orgId)
  })
  const completion = run.then(() => parts.end(Exit.void), (error: unknown) => parts.end(Exit.fail(error)))
  try {
    for (let part = await takePart(parts); part !== undefined; part = await takePart(parts)) yield part
  } finally {
    parts.shutdown()
    await completion
  }
}

const takePart = (parts: BoundedQueue<ExportPart>): Promise<ExportPart | undefined> =>
  parts.take().catch((cause: unknown) => {
    throw Cause.isCause(cause) ? Cause.squash(cause) : cause
  })
