import type { HostRefusalCode, Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import type { CommonRefusalCode, Operation } from "@trailbook/core/operation/Operation"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** Runs an operation as the current actor. Pages read and write data only through operations. */
export type OperationCaller = <Op extends Operation.Declared>(
  operation: Op,
  input: OperationInput<Schema.Schema.Encoded<Op["input"]>>
) => Effect.Effect<Operation.Output<Op>, Refusal<Op["refusals"][number] | CommonRefusalCode | HostRefusalCode>, Actor>

/** An operation's input. Optional fields can be `undefined`, in which case they are omitted. */
export type OperationInput<Input> = {
  readonly [Name in keyof Input]: object extends Pick<Input, Name> ? Input[Name] | undefined : Input[Name]
}

export const makeOperationCaller: Effect.Effect<OperationCaller, never, Registry> = Effect.map(
  Registry,
  // The cast is safe, because the registry returns the output type of the declaration with this name.
  ({ run }): OperationCaller => (operation, input) =>
    run(operation.name, omitUndefined(input)) as ReturnType<OperationCaller> as never
)

/** Returns the entries that have a value. */
export const omitUndefined = <A>(values: Readonly<Record<string, A | undefined>>): Readonly<Record<string, A>> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, A] => entry[1] !== undefined)
  )

/** Ignores `not_found`, because the resource may already be gone. */
export const ignoreNotFound = <A, E extends Refusal, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | void, E, R> =>
  Effect.catchIf(work, ({ code }) => code === "not_found", () => Effect.void)

/** Whether a string has the format of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
