import { type OwnCode, type Refusal, unavailable } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import type { CommonCode, Operation } from "@trailbook/core/operation/Operation"
import { unavailableReason } from "@trailbook/core/port"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"

/**
 * Runs an operation as the actor in the context, with the same input and rules as the REST API. The call fails only
 * with refusals that the operation declares or that a custom gate returns. If the database is unavailable, it fails
 * with the retryable refusal `unavailable`. The call is traced in a span named after the operation.
 *
 * @example
 * import { bookingsConfirm } from "@trailbook/core/booking"
 * import * as Effect from "effect/Effect"
 * import { call } from "trailbook/effect"
 *
 * const confirm = (id: string) =>
 *   call(bookingsConfirm, { id }).pipe(
 *     Effect.catchIf(({ code }) => code === "hold_expired", () => Effect.succeed(undefined))
 *   )
 */
export const call = <Op extends Operation.Any>(
  operation: Op,
  input: Schema.Schema.Encoded<Op["input"]>
): Effect.Effect<Operation.Output<Op>, Refusal<Op["refusals"][number] | CommonCode | OwnCode>, Registry | Actor> =>
  // The cast is safe because the registry returns the type that the operation declares.
  (Effect.flatMap(Registry, ({ run }) => run(operation.name, input)) as Effect.Effect<
    Operation.Output<Op>,
    Refusal<Op["refusals"][number] | CommonCode | OwnCode>,
    Registry | Actor
  >).pipe(
    Effect.catchSomeCause((cause) =>
      unavailableReason(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database is unavailable. Retry the same call."))
    ),
    Effect.withSpan(operation.name)
  )
