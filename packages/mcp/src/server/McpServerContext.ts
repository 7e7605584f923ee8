import type { Refusal } from "@trailbook/core/Refusal"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Caller } from "../Caller.ts"
import type { McpHandlers } from "../McpHandlers.ts"

/** What a server of either library is made of. */
export interface McpServerContext {
  readonly assistant: McpHandlers
  readonly caller: Caller
  /** Made only where they are asked for. */
  readonly instructions: string | undefined
  readonly run: Run
  readonly version: string
  /** Told which operation a call means, for the log. */
  readonly onOperation?: ((name: string) => void) | undefined
}

export type Run = <A, E extends Refusal>(effect: Effect.Effect<A, E>) => Promise<Either.Either<A, E>>

/**
 * What is listed does not change while a key is good, so nobody is notified of
 * changes: whoever asks to listen is acknowledged and told at once that this is
 * all.
 */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

export const identity = ({ version }: Pick<McpServerContext, "version">) => ({
  name: "trailbook",
  title: "Trailbook",
  version
})
