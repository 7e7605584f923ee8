/**
 * Asking the person at the client before something is ended for good. It is a
 * courtesy: a client may answer by itself, so nothing rests on it but comfort.
 */
import { isReadOnly, type Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import type { Caller } from "../Caller.ts"
import type { Call } from "../Calls.ts"
import { hasImpact, loadImpact } from "./callImpact.ts"
import type { Data } from "./compactResult.ts"
import { errorResult, type ToolResult } from "./ToolResult.ts"

/** Whether a person is asked before this. */
export const needsConfirmation = (operation: Operation.Any): boolean =>
  operation.hints.destructive === true || (operation.hints.discloses === true && !isReadOnly(operation))

/**
 * The question names what the call hits: whoever says yes to a name alone has
 * not heard of the guests behind it. Nobody is asked about what would be refused
 * anyway.
 */
export const confirmationQuestion = (call: Call) => {
  const impactOf = loadImpact(call)
  return ({ actor }: Caller, operation: Operation.Any, input: Data): Effect.Effect<string | undefined> =>
    !needsConfirmation(operation) ? Effect.succeed(undefined) : Effect.map(
      impactOf(actor, operation, input),
      (hit) => {
        const { summary, tool: { title } } = operation
        if (hit !== undefined) return `${title}: ${hit.what.join(", ")}? ${hit.comes.join(" ")}${ends(operation)}`
        // One that nobody has thought of here is asked about all the same, in its own words.
        return hasImpact(operation) ? undefined : `${title}? ${summary}${ends(operation)}`
      }
    )
}

const ends = ({ hints }: Operation.Any): string => hints.destructive === true ? " This cannot be undone." : ""

/** What the assistant hears when the person said no. */
export const declinedResult: ToolResult = errorResult(
  "declined: The user declined. Nothing was changed.\nNext: Do not repeat this call unless the user requests it."
)
