import type { Actor } from "@trailbook/core/actor/Actor"
import type { CommonCode, Operation } from "@trailbook/core/operation/Operation"
import { Registry } from "@trailbook/core/operation/Registry"
import type { OwnCode, Refusal } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** Runs an operation as the current actor. Pages read and write data only through operations. */
export type RunOperation = <Op extends Operation.Declared>(
  operation: Op,
  input: Schema.Schema.Encoded<Op["input"]>
) => Effect.Effect<Operation.Output<Op>, Refusal<Op["refusals"][number] | CommonCode | OwnCode>, Actor>

export const makeRunOperation: Effect.Effect<RunOperation, never, Registry> = Effect.map(
  Registry,
  // The cast is safe, because the registry returns the output type of the declaration with this name.
  ({ run }): RunOperation => (operation, input) => run(operation.name, input) as ReturnType<RunOperation> as never
)
