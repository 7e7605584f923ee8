import type { Actor } from "@trailbook/core/actor/Actor"
import type { CommonCode, Operation } from "@trailbook/core/operation/Operation"
import { Registry } from "@trailbook/core/operation/Registry"
import { unavailableReason } from "@trailbook/core/port/unavailableReason"
import { type OwnCode, type Refusal, unavailable } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"

/**
 * Runs an operation as the actor of the context, as the REST API would: the same
 * fields, the same rules, and no refusal but those that it declares and those of
 * the program's own gate. A database
 * that is away is the refusal `unavailable`, so that it can be retried. What
 * happens is in a span with the operation's name.
 *
 * @example
 * import { bookingsConfirm } from "@trailbook/core/booking/bookingOperations"
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
  // What the registry answers by a name is what the declaration of that name says.
  (Effect.flatMap(Registry, ({ run }) => run(operation.name, input)) as Effect.Effect<
    Operation.Output<Op>,
    Refusal<Op["refusals"][number] | CommonCode | OwnCode>,
    Registry | Actor
  >).pipe(
    Effect.catchSomeCause((cause) =>
      unavailableReason(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database cannot answer now. Make the same call again."))
    ),
    Effect.withSpan(operation.name)
  )
