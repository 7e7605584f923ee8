import { type HostRefusalCode, Refusal, type RefusalCode, unavailable } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import type { CommonRefusalCode, Operation } from "@trailbook/core/operation/Operation"
import { classifyUnavailability } from "@trailbook/core/port"
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
): Effect.Effect<
  Operation.Output<Op>,
  Refusal<Op["refusals"][number] | CommonRefusalCode | HostRefusalCode>,
  Registry | Actor
> =>
  // The cast is safe because the registry returns the type that the operation declares.
  (Effect.flatMap(Registry, ({ run }) => run(operation.name, input)) as Effect.Effect<
    Operation.Output<Op>,
    Refusal<Op["refusals"][number] | CommonRefusalCode | HostRefusalCode>,
    Registry | Actor
  >).pipe(
    Effect.catchSomeCause((cause) =>
      classifyUnavailability(cause) === undefined
        ? Option.none()
        : Option.some(unavailable("The database is unavailable. Retry the same call."))
    ),
    Effect.withSpan(operation.name)
  )

/** The refusal codes in an error type. */
export type RefusalCodes<E> = E extends Refusal<infer Code> ? Code : never

/** An error type minus the refusals that have the given code. */
export type WithoutCode<E, Code extends RefusalCode | HostRefusalCode> = E extends Refusal<infer Others>
  ? [Exclude<Others, Code>] extends [never] ? never : Refusal<Exclude<Others, Code>>
  : E

/**
 * Recovers from a refusal with the given code, the same way `Effect.catchTag` does for errors with a tag. Removes the
 * code from the error type. Passing a code that cannot occur is a compile error.
 *
 * @example
 * import { bookingsCreate } from "@trailbook/core/booking"
 * import * as Effect from "effect/Effect"
 * import { call, catchRefusalCode } from "trailbook/effect"
 *
 * const bookIfFree = (order: Parameters<typeof call<typeof bookingsCreate>>[1]) =>
 *   call(bookingsCreate, order).pipe(catchRefusalCode("slot_full", () => Effect.succeed(undefined)))
 */
export const catchRefusalCode = <E, const Code extends RefusalCodes<E>, A2, E2, R2>(
  code: Code,
  then: (refusal: Refusal<Code>) => Effect.Effect<A2, E2, R2>
) =>
<A, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | A2, WithoutCode<E, Code> | E2, R | R2> =>
  Effect.catchAll(
    self,
    (error): Effect.Effect<A2, WithoutCode<E, Code> | E2, R2> =>
      isCode(error, code) ? then(error) : Effect.fail(error as WithoutCode<E, Code>)
  )

const isCode = <Code extends RefusalCode | HostRefusalCode>(error: unknown, code: Code): error is Refusal<Code> =>
  error instanceof Refusal && error.code === code
