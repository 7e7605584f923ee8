import type { Refusal } from "@trailbook/core"
import { Actor } from "@trailbook/core/actor"
import type { Registry } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/**
 * Calls an operation as the caller. Every read goes through this function, so an assistant sees only data that its key
 * can read.
 */
export type OperationCaller = <Op extends Operation.Any>(
  actor: Actor["Type"],
  operation: Op,
  input: Schema.Schema.Encoded<Op["input"]>
) => Effect.Effect<Operation.Output<Op>, Refusal>

export const make = ({ run }: Registry["Type"]): OperationCaller => (actor, operation, input) =>
  Effect.provideService(run(operation.name, input), Actor, actor) as Effect.Effect<
    // The cast is safe, because the registry returns the output of the operation with this name.
    Operation.Output<typeof operation>,
    Refusal
  >
