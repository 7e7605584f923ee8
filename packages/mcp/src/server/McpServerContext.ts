import type { Refusal } from "@trailbook/core"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { Caller } from "../Caller.ts"
import type { McpHandlers } from "../McpHandlers.ts"

/** The options that both libraries use to create a protocol server. */
export interface McpServerContext {
  readonly assistant: McpHandlers
  readonly caller: Caller
  /** Set only for requests whose response contains the instructions. */
  readonly instructions: string | undefined
  readonly run: EffectRunner
  readonly version: string
  /** Called with the operation name, so that the host can log it. */
  readonly onOperation?: ((name: string) => void) | undefined
  /**
   * Starts or stops updates for a resource. Rejects a resource that does not support updates. The function is set only
   * if the connection stays open. In newer revisions, the library handles subscriptions.
   */
  readonly subscribe?: (uri: string, isOn: boolean) => Effect.Effect<void, Refusal>
}

export type EffectRunner = <A, E extends Refusal>(effect: Effect.Effect<A, E>) => Promise<Either.Either<A, E>>

/**
 * The server's capabilities. The lists do not change while a key is valid, so the server never sends change
 * notifications for them. Over HTTP, the server acknowledges a subscription and ends it immediately.
 */
export const makeCapabilities = ({ subscribe }: Pick<McpServerContext, "subscribe">) => ({
  tools: {},
  resources: subscribe === undefined ? {} : { subscribe: true },
  prompts: {},
  completions: {}
})

export const makeServerInfo = ({ version }: Pick<McpServerContext, "version">) => ({
  name: "trailbook",
  title: "Trailbook",
  version
})

/**
 * Runs effects with the clock and log of the fiber that created the function. An effect keeps running if its client
 * disconnects. The client can get the result by retrying with the same idempotency key.
 */
export const makeEffectRunner: Effect.Effect<EffectRunner> = Effect.map(
  Effect.runtime(),
  (runtime) => (effect) => Runtime.runPromise(runtime, Effect.either(effect))
)
