import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Caller } from "../Caller.ts"
import type { McpHandlers } from "../McpHandlers.ts"

/** The input to create a protocol server with either library. */
export interface McpServerContext {
  readonly assistant: McpHandlers
  readonly caller: Caller
  /** Only set for requests that return instructions. */
  readonly instructions: string | undefined
  readonly run: Run
  readonly version: string
  /** Receives the operation of a call, for the log. */
  readonly onOperation?: ((name: string) => void) | undefined
}

export type Run = <A, E extends Refusal>(effect: Effect.Effect<A, E>) => Promise<Either.Either<A, E>>

/**
 * The lists do not change while a key is valid, so no change notifications are sent. A subscription is acknowledged and
 * ended immediately.
 */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

export const identity = ({ version }: Pick<McpServerContext, "version">) => ({
  name: "trailbook",
  title: "Trailbook",
  version
})
