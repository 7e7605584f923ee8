import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import {
  formatRefusalMessage,
  getRefusalKind,
  type RefusalCode,
  type RefusalFacts,
  type RefusalKind
} from "./refusals.ts"

/**
 * The only error that an operation can return. `code` is stable and machine-readable. `message` tells people what to
 * change. The wording of `message` can change.
 */
export class Refusal<out Code extends RefusalCode | HostRefusalCode = RefusalCode | HostRefusalCode>
  extends Data.TaggedError("Refusal")<{
    readonly code: RefusalCode | HostRefusalCode
    readonly message: string
    /** Whole seconds to wait before a retry. */
    readonly retryAfterSeconds?: number
  }>
{
  declare readonly code: Code

  /** The kind of refusal, derived from `code`. */
  get kind(): RefusalKind {
    return getRefusalKind(this.code)
  }
}

/** A code that the host application defines for its own refusals. Operations cannot declare it. */
export type HostRefusalCode = Brand.Branded<string, "OwnCode">

/** Creates a refusal. `facts` are the arguments for the code's message. */
export const refuse = <Code extends RefusalCode>(code: Code, ...facts: RefusalFacts<Code>): Refusal<Code> =>
  new Refusal<Code>({ code, message: formatRefusalMessage(code, facts) })

/** Like `refuse`, but with the time to wait before a retry. */
export const refuseWithRetryAfter = <Code extends RefusalCode>(
  retryAfterSeconds: number,
  code: Code,
  ...facts: RefusalFacts<Code>
): Refusal<Code> => new Refusal<Code>({ code, message: formatRefusalMessage(code, facts), retryAfterSeconds })

/** Creates a refusal (409) with a code that the host application defines. */
export const hostConflict = (code: string, message: string): Refusal<HostRefusalCode> =>
  new Refusal<HostRefusalCode>({ code: code as HostRefusalCode, message })

/**
 * Refuses an ID that the caller cannot access (404). Unknown IDs, deleted IDs, and IDs of other orgs get the same
 * response.
 */
export const notFound = (what: string, id: string): Refusal<"not_found"> => refuse("not_found", what, truncateText(id))

/** Refuses an invalid request (400). `message` starts with the field name. */
export const invalid = (message: string): Refusal<"invalid_request"> => refuse("invalid_request", message)

/** Refuses a request because the database or another dependency is unavailable (503). The caller may retry. */
export const unavailable = (message?: string, retryAfterSeconds = 1): Refusal<"unavailable"> =>
  refuseWithRetryAfter(retryAfterSeconds, "unavailable", message)

/** Truncates text from the caller, such as an unknown field name, to 100 characters to keep error messages short. */
export const truncateText = (text: string): string =>
  // Truncation can split a surrogate pair, and some JSON parsers reject an unpaired surrogate.
  text.length <= shownLength ? text : `${text.slice(0, shownLength).toWellFormed()}…`

const shownLength = 100
