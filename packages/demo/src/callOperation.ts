import type { Refusal } from "@trailbook/core"
import { Actor, makeHostActor, type Source } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** An operation's encoded input. */
export type OperationInput<Op extends Operation.Any> = Schema.Schema.Encoded<Op["input"]>

/** Calls an operation for an org, the way a request would. */
export const callOperation = <Op extends Operation.Any>(
  as: { readonly orgId: string; readonly source: Source },
  operation: Op,
  input: OperationInput<Op>
): Effect.Effect<Operation.Output<Op>, Refusal, Registry> =>
  Effect.flatMap(Registry, ({ run }) => run(operation.name, input)).pipe(
    Effect.provideService(Actor, makeHostActor({ orgId: as.orgId, source: as.source })),
    // This is safe because `OperationHandlers` binds each operation name to its own output type.
    Effect.map((output) => output as Operation.Output<Op>)
  )
