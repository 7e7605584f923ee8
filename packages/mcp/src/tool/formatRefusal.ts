/** Formats refusals for assistants. The text and the data contain the same facts: the problem and the next step. */
import { findDeclaration, type Refusal, refusalKinds } from "@trailbook/core"
import { errorResult, type ToolResult } from "./ToolResult.ts"

/** Formats a refusal. `fix` replaces the code's default next step. */
export const formatRefusal = (refusal: Refusal, fix = next(refusal)): ToolResult => {
  const { code, kind, message } = refusal
  const field = kind === "invalid" ? /^([a-z][\w.]*): /.exec(message)?.[1] : undefined
  return errorResult({
    code,
    message,
    ...(field === undefined ? {} : { field }),
    fix,
    retryable: retryableKinds.has(kind) || code === "too_early"
  })
}

/** The kinds of refusals whose next step is to retry the same request. */
const retryableKinds: ReadonlySet<Refusal["kind"]> = new Set(["late", "exhausted", "broken", "upstream", "unavailable"])

const next = ({ code, kind, retryAfterSeconds }: Refusal): string => {
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${retryAfterSeconds} s first.`
  return asTools((findDeclaration(code) ?? refusalKinds[kind]).next) + wait
}

/** Replaces operation names with tool names (`bookings.get` becomes `bookings_get`) and removes the backticks. */
const asTools = (words: string): string => words.replace(/`([a-z]+)\.([a-z_]+)`/g, "$1_$2").replaceAll("`", "")
