import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import { formatMessage, type RefusalCode, type RefusalFacts, type RefusalKind, refusalKind } from "./refusals.ts"

/**
 * The one error that may leave an operation. `code` is a promise to callers
 * and says the rest; `message` is prose for people, names what to
 * change and may itself change.
 *
 * @category errors
 */
export class Refusal<out Code extends RefusalCode | OwnCode = RefusalCode | OwnCode>
  extends Data.TaggedError("Refusal")<{
    readonly code: RefusalCode | OwnCode
    readonly message: string
    /** Whole seconds after which the same request may be tried again. */
    readonly retryAfterSeconds?: number
  }>
{
  declare readonly code: Code

  /** Read off the code. */
  get kind(): RefusalKind {
    return refusalKind(this.code)
  }
}

/**
 * A code that a program around us refuses with for a reason of its own. No
 * operation can declare it.
 *
 * @category models
 */
export type OwnCode = Brand.Branded<string, "OwnCode">

/**
 * A refusal with the message of its code, made of these facts.
 *
 * @category constructors
 */
export const refuse = <Code extends RefusalCode>(code: Code, ...facts: RefusalFacts<Code>): Refusal<Code> =>
  new Refusal<Code>({ code, message: formatMessage(code, facts) })

/**
 * The same, where it is known when the request may be tried again.
 *
 * @category constructors
 */
export const refuseFor = <Code extends RefusalCode>(
  retryAfterSeconds: number,
  code: Code,
  ...facts: RefusalFacts<Code>
): Refusal<Code> => new Refusal<Code>({ code, message: formatMessage(code, facts), retryAfterSeconds })

/**
 * A refusal of the program around us, with a code of its own (409).
 *
 * @category constructors
 */
export const ownConflict = (code: string, message: string): Refusal<OwnCode> =>
  new Refusal<OwnCode>({ code: code as OwnCode, message })

/**
 * An id that names nothing the caller may see: unknown, deleted, or another
 * org's, with one and the same answer (404).
 *
 * @category constructors
 */
export const notFound = (what: string, id: string): Refusal<"not_found"> => refuse("not_found", what, shownText(id))

/**
 * The request itself is wrong (400). `message` begins with the field's name.
 *
 * @category constructors
 */
export const invalid = (message: string): Refusal<"invalid_request"> => refuse("invalid_request", message)

/**
 * The database or another part cannot answer now; the same request may be sent
 * again (503).
 *
 * @category constructors
 */
export const unavailable = (message?: string, retryAfterSeconds = 1): Refusal<"unavailable"> =>
  refuseFor(retryAfterSeconds, "unavailable", message)

/**
 * Cuts a text that a caller chose, such as the name of an unknown field, at 100 characters. Messages that repeat it stay
 * short, however long the request was.
 *
 * @category formatting
 */
export const shownText = (text: string): string =>
  // The cut can split a surrogate pair, and half a pair is not valid in JSON of every reader.
  text.length <= shownLength ? text : `${text.slice(0, shownLength).toWellFormed()}…`

const shownLength = 100
