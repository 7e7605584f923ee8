import type { Result } from "@trailbook/client/Result"
import { TrailbookError } from "@trailbook/client/TrailbookError"
import { Actor, host } from "@trailbook/core/actor"
import { operations } from "@trailbook/core/layer"
import { Registry } from "@trailbook/core/operation"
import * as Effect from "effect/Effect"
import type { Calls, ResultCalls } from "./Calls.ts"
import type { CallEntry, CallScope } from "./Lifecycle.ts"
import type { ActorOptions } from "./Outfitter.ts"
import { toJson } from "./toJson.ts"

/** Creates an outfitter's operations for an actor. */
export const makeCalls = (
  entrance: CallEntry,
  /**
   * Returns the ID of the org. The function runs on each call, because the ID may be unknown until the database is
   * open.
   */
  orgId: (call: CallScope) => Promise<string>,
  { scopes, source }: ActorOptions
): { readonly calls: Calls; readonly tried: ResultCalls } => {
  const run = (name: string, input: unknown): Promise<unknown> =>
    entrance.during(async (call) => {
      const json = toJson(input)
      const actor = host({ orgId: await orgId(call), source, scopes })
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
    calls: groupOperations(run) as unknown as Calls,
    tried: groupOperations(runAsResult) as unknown as ResultCalls
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
