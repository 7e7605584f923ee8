/** Formats refusals for assistants: the problem and the next step, with the same facts in the text and in the data. */
import type { Refusal } from "@trailbook/core/Refusal"
import { findDeclaration, kinds } from "@trailbook/core/refusals"
import { errorResult, type ToolResult } from "./ToolResult.ts"

/** `fix` replaces the next step of the code. */
export const formatRefusal = (refusal: Refusal, fix = next(refusal)): ToolResult => {
  const { code, kind, message } = refusal
  const field = kind === "invalid" ? /^([a-z][\w.]*): /.exec(message)?.[1] : undefined
  return errorResult({
    code,
    message,
    ...(field === undefined ? {} : { field }),
    fix,
    retryable: retryableKinds.has(kind)
  })
}

/** Errors that can be retried unchanged. The next step in their text is a retry. */
const retryableKinds: ReadonlySet<Refusal["kind"]> = new Set(["late", "exhausted", "broken", "upstream", "unavailable"])

const next = ({ code, kind, retryAfterSeconds }: Refusal): string => {
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${retryAfterSeconds} s first.`
  return asTools((findDeclaration(code) ?? kinds[kind]).next) + wait
}

/** `bookings.get` is the tool `bookings_get`, and code is shown without backticks. */
const asTools = (words: string): string => words.replace(/`([a-z]+)\.([a-z_]+)`/g, "$1_$2").replaceAll("`", "")
