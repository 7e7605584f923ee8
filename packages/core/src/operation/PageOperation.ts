/**
 * Operations for the built-in pages for guests, visitors, and staff. The registry runs page operations with the same
 * authorization and input decoding as API operations. Page operations are not part of the API, so they have no route,
 * no tool, and no OpenAPI entry.
 */
import type * as Schema from "effect/Schema"
import type { Scope } from "../actor/Actor.ts"
import type { RefusalCode } from "../refusals.ts"
import type { Operation, StructSchema } from "./Operation.ts"

export interface PageOperation<
  out Name extends string,
  out Input extends StructSchema,
  out Output extends Schema.Schema.AnyNoContext,
  out Code extends RefusalCode
> extends Pick<Operation<Name, Input, Output, Code>, "name" | "input" | "output" | "exactlyOne" | "refusals"> {
  readonly scope: PageScope
  readonly chunked: false
}

/** A scope that API keys cannot have. */
export type PageScope = Exclude<Scope, "read" | "write" | "admin">

export declare namespace PageOperation {
  export type Any = PageOperation<string, StructSchema, Schema.Schema.AnyNoContext, RefusalCode>
}

/** Returns a constructor for operations with this scope. */
export const makePageOperations = (scope: PageScope) =>
<
  const Name extends `${string}.${string}`,
  Input extends StructSchema,
  Output extends Schema.Schema.AnyNoContext,
  const Code extends RefusalCode = never
>(
  name: Name,
  declared:
    & Pick<PageOperation<Name, Input, Output, Code>, "input" | "output">
    & Partial<Pick<PageOperation<Name, Input, Output, Code>, "exactlyOne" | "refusals">>
): PageOperation<Name, Input, Output, Code> => ({
  name,
  exactlyOne: [],
  refusals: [],
  scope,
  chunked: false,
  ...declared
})
