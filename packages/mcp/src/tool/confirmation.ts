/**
 * Asks the user to confirm a destructive call. This is not a security boundary, because a client can answer
 * automatically.
 */
import { type Actor, isPermitted } from "@trailbook/core/actor"
import { bookingsCancel, getCancelPermission } from "@trailbook/core/booking"
import { canOpenGuestPages, canSeeGuests, requiresGuestAccess } from "@trailbook/core/operation"
import { isReadOnly, type Operation } from "@trailbook/core/operation/Operation"
import { webhooksCreate } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import { type Caller, getConfirmationPolicy } from "../Caller.ts"
import type { OperationCaller } from "../OperationCaller.ts"
import { canLoadImpact, hasWideImpact, loadImpact, mayHaveWideImpact, previewImpact } from "./callImpact.ts"
import type { UnknownRecord } from "./compactResult.ts"
import { makeErrorResult, type ToolResult } from "./ToolResult.ts"

/** Whether an operation needs a confirmation. */
export const needsConfirmation = (operation: Operation.Any): boolean =>
  operation.hints.destructive === true || (operation.hints.discloses === true && !isReadOnly(operation))

/** Whether a call might need a preview, because its operation is destructive, is far-reaching, or discloses data. */
export const mayNeedPreview = (operation: Operation.Any): boolean =>
  needsConfirmation(operation) || mayHaveWideImpact(operation)

/**
 * Whether the call would be refused because a permission is missing. A preview or question would then promise something
 * that cannot happen.
 */
export const isCallForbidden = (actor: Actor["Type"], operation: Operation.Any, input: UnknownRecord): boolean =>
  !isPermitted(actor, operation) || (requiresGuestAccess(operation.name) && !canSeeGuests(actor)) ||
  (operation.name === bookingsCancel.name && !isPermitted(actor, getCancelPermission(input.refund))) ||
  (operation.name === webhooksCreate.name && !canOpenGuestPages(actor))

/**
 * Returns the question for a call, or undefined if the call needs no confirmation or would be rejected anyway. The
 * question describes the impact, because a resource's name does not show which guests are affected.
 */
export const makeConfirmationQuestion = (call: OperationCaller) => {
  const impactOf = loadImpact(call)
  const previewOf = previewImpact(call)
  return (caller: Caller, operation: Operation.Any, input: UnknownRecord): Effect.Effect<string | undefined> => {
    const { actor } = caller
    const reachesFar = hasWideImpact(operation, input)
    const isAsked = needsConfirmation(operation) || reachesFar
    if (getConfirmationPolicy(caller) === "never" || !isAsked || isCallForbidden(actor, operation, input)) {
      return Effect.succeed(undefined)
    }
    // The user has already confirmed the preview, and the call itself checks the token.
    if ("preview" in input || "preview_token" in input) return Effect.succeed(undefined)
    return Effect.map(
      reachesFar
        ? Effect.catchAllCause(previewOf(actor, operation, input), () => Effect.succeed(undefined))
        : impactOf(actor, operation, input),
      (hit) => {
        const { summary, tool: { title } } = operation
        if (hit !== undefined) {
          return `${title}: ${hit.resourceNames.join(", ")}? ${hit.futureEffects.join(" ")}${
            hit.reversible ? "" : ends(operation)
          }`
        }
        // If an operation has no impact rules, the question contains its summary.
        return canLoadImpact(operation) || reachesFar ? undefined : `${title}? ${summary}${ends(operation)}`
      }
    )
  }
}

const ends = ({ hints }: Operation.Any): string => hints.destructive === true ? " This cannot be undone." : ""

/** The result of a call that the user declined. */
export const declinedResult: ToolResult = makeErrorResult({
  code: "declined",
  message: "The user declined. Nothing was changed.",
  fix: "Do not repeat this call unless the user requests it.",
  retryable: false
})
