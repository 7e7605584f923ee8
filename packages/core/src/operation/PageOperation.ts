/**
 * Operations of pages: what a guest, a visitor or the staff do there and no program does. They are run by the registry
 * as all others are, behind its one check and by the same reading of input, but they are no part of the API: they have
 * no route, no tool and no place in its description.
 */
import type * as Schema from "effect/Schema"
import type { Scope } from "../actor/Actor.ts"
import type { RefusalCode } from "../refusals.ts"
import type { Fields } from "./Operation.ts"

export interface PageOperation<
  out Name extends string,
  out Input extends Fields,
  out Output extends Schema.Schema.AnyNoContext,
  out Code extends RefusalCode
> {
  readonly name: Name
  readonly input: Input
  readonly output: Output
  /** The codes it may be refused with, besides those of every operation. */
  readonly refusals: ReadonlyArray<Code>
  readonly scope: PageScope
  readonly inParts: false
}

/** No key can have one of these. */
export type PageScope = Exclude<Scope, "read" | "write" | "admin">

export declare namespace PageOperation {
  export type Any = PageOperation<string, Fields, Schema.Schema.AnyNoContext, RefusalCode>
}

/** Makes the operations of one scope. */
export const makePageOperations = (scope: PageScope) =>
<
  const Name extends `${string}.${string}`,
  Input extends Fields,
  Output extends Schema.Schema.AnyNoContext,
  const Code extends RefusalCode = never
>(
  name: Name,
  { input, output, refusals = [] }: {
    readonly input: Input
    readonly output: Output
    readonly refusals?: ReadonlyArray<Code>
  }
): PageOperation<Name, Input, Output, Code> => ({ name, input, output, refusals, scope, inParts: false })
