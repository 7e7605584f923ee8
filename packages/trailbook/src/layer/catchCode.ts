import { type OwnCode, Refusal, type RefusalCode } from "@trailbook/core"
import * as Effect from "effect/Effect"

/** The refusal codes in an error type. */
export type Codes<E> = E extends Refusal<infer Code> ? Code : never

/** An error type without the refusals that have a certain code. */
export type WithoutCode<E, Code extends RefusalCode | OwnCode> = E extends Refusal<infer Others>
  ? [Exclude<Others, Code>] extends [never] ? never : Refusal<Exclude<Others, Code>>
  : E

/**
 * Recovers from a refusal with this code, the same way `Effect.catchTag` does for errors with a tag. Removes the code
 * from the error type. Passing a code that cannot occur is a compile error.
 *
 * @example
 * import { bookingsCreate } from "@trailbook/core/booking"
 * import * as Effect from "effect/Effect"
 * import { call, catchCode } from "trailbook/effect"
 *
 * const bookIfFree = (order: Parameters<typeof call<typeof bookingsCreate>>[1]) =>
 *   call(bookingsCreate, order).pipe(catchCode("slot_full", () => Effect.succeed(undefined)))
 */
export const catchCode = <E, const Code extends Codes<E>, A2, E2, R2>(
  code: Code,
  then: (refusal: Refusal<Code>) => Effect.Effect<A2, E2, R2>
) =>
<A, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | A2, WithoutCode<E, Code> | E2, R | R2> =>
  Effect.catchAll(
    self,
    (error): Effect.Effect<A2, WithoutCode<E, Code> | E2, R2> =>
      isCode(error, code) ? then(error) : Effect.fail(error as WithoutCode<E, Code>)
  )

const isCode = <Code extends RefusalCode | OwnCode>(error: unknown, code: Code): error is Refusal<Code> =>
  error instanceof Refusal && error.code === code
