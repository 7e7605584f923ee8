/**
 * Defines tools that exist only for assistants. Each tool answers a front-desk question by combining several
 * operations, with the caller's permissions. These tools have no REST route, because programs can combine the
 * operations themselves.
 */
import { type Refusal, refuse } from "@trailbook/core"
import { type Actor, hasScope } from "@trailbook/core/actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import { toInvalidRequest } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { OperationCaller } from "../OperationCaller.ts"
import type { UnknownRecord } from "../tool/compactResult.ts"

export interface StaffTool {
  /** Declares the name, input, and output. The registry does not contain this operation. */
  readonly operation: Operation.Any
  readonly run: (
    call: OperationCaller,
    actor: Actor["Type"],
    input: UnknownRecord
  ) => Effect.Effect<ToolOutput, Refusal>
}

export interface ToolOutput {
  /** The output in wire format. */
  readonly answer: UnknownRecord
  readonly notes?: ReadonlyArray<string>
}

export const makeStaffTool = <A, I>(
  operation: Operation.Any & { readonly input: Schema.Schema<A, I> },
  handle: (call: OperationCaller, actor: Actor["Type"], input: A) => Effect.Effect<ToolOutput, Refusal>
): StaffTool => {
  const decode = Schema.decodeUnknownEither(operation.input, { onExcessProperty: "error" })
  return {
    operation,
    run: (call, actor, rawInput) => {
      if (!hasScope(actor, operation.scope)) return refuse("forbidden", operation.name, operation.scope)
      const input = decode(rawInput)
      return Either.isLeft(input)
        ? toInvalidRequest(input.left)
        : Effect.suspend(() => handle(call, actor, input.right))
    }
  }
}
