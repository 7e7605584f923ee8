/**
 * @since 0.1.0
 */
import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"

/**
 * Why the domain says no. A transport turns the kind into its own dialect: over
 * HTTP they are 400, 401, 403, 404, 409, 429 and 503 in this order.
 *
 * @since 0.1.0
 * @category errors
 */
export type RefusalKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "exhausted"
  | "unavailable"

/**
 * The one error that may leave an operation. `code` is a promise to callers
 * (decision 9.1); `message` is prose for people, names what to change and may
 * itself change.
 *
 * @since 0.1.0
 * @category errors
 */
export class Refusal<out Code extends string = string> extends Data.TaggedError("Refusal")<{
  readonly kind: RefusalKind
  readonly code: string
  readonly message: string
  /** Whole seconds after which the same request may be tried again. */
  readonly retryAfterSeconds?: number
}> {
  declare readonly code: Code
}

/**
 * A code that a program around us refuses with for a reason of its own. No
 * operation can declare it.
 *
 * @since 0.1.0
 * @category models
 */
export type OwnCode = Brand.Branded<string, "OwnCode">

const refuse = (kind: RefusalKind) => <Code extends string>(code: Code, message: string): Refusal<Code> =>
  new Refusal<Code>({ kind, code, message })

/**
 * The caller should choose something else (409).
 *
 * @since 0.1.0
 * @category constructors
 */
export const conflict = refuse("conflict")

/**
 * The same, with a code of the program around us.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ownConflict = (code: string, message: string): Refusal<OwnCode> =>
  new Refusal<OwnCode>({ kind: "conflict", code, message })

/**
 * An id that names nothing the caller may see: unknown, deleted, or another
 * org's, with one and the same answer (404).
 *
 * @since 0.1.0
 * @category constructors
 */
export const notFound = (what: string, id: string): Refusal<"not_found"> =>
  refuse("not_found")("not_found", `There is no ${what} ${id}.`)

/**
 * The request itself is wrong (400). `message` begins with the field's name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalid = (message: string): Refusal<"invalid_request"> => refuse("invalid")("invalid_request", message)

/**
 * The database or another part cannot answer now; the same request may be sent
 * again (503).
 *
 * @since 0.1.0
 * @category constructors
 */
export const unavailable = (message: string, retryAfterSeconds = 1): Refusal<"unavailable"> =>
  new Refusal<"unavailable">({ kind: "unavailable", code: "unavailable", message, retryAfterSeconds })
