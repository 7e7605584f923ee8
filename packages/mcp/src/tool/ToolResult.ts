import { findRefusalDeclaration, type Refusal, refusalKinds } from "@trailbook/core"
import type { UnknownRecord } from "./compactResult.ts"
import { renderText } from "./renderText.ts"

/** The result of a call: the data, and text with the same facts for clients that show only text. */
export type ToolResult = {
  content: Array<{ type: "text"; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** The data for an error. `buildResultSchema` includes these fields, because clients validate every result. */
export type ErrorData = {
  code: string
  message: string
  /** The invalid field. */
  field?: string
  /** The next step. */
  fix: string
  /** Whether the same request can succeed later. */
  retryable: boolean
}

export const makeErrorResult = (error: ErrorData): ToolResult => ({
  content: [{ type: "text", text: `${error.code}: ${error.message}\nNext: ${error.fix}` }],
  structuredContent: error,
  isError: true
})

export const makeSuccessResult = (data: UnknownRecord): ToolResult => ({
  content: [{ type: "text", text: renderText(data) }],
  structuredContent: data
})

/** Returns data that is too long to render as text, along with text that gives only its sizes. */
export const makeSizeSummaryResult = (data: UnknownRecord): ToolResult => ({
  content: [{
    type: "text",
    text: `${sizes(data)}. The complete result is only in structuredContent, because this connection does not ` +
      "support download links. List operations return smaller pages."
  }],
  structuredContent: data
})

const sizes = (data: UnknownRecord): string =>
  Object.entries(data).map(([name, value]) => Array.isArray(value) ? `${value.length} ${name}` : name).join(", ")

/**
 * Formats a refusal. The text and the data contain the same facts: the problem and the next step. `fix` replaces the
 * code's default next step.
 */
export const toErrorResult = (refusal: Refusal, fix = next(refusal)): ToolResult => {
  const { code, kind, message } = refusal
  const field = kind === "invalid" ? /^([a-z][\w.]*): /.exec(message)?.[1] : undefined
  return makeErrorResult({
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
  return asTools((findRefusalDeclaration(code) ?? refusalKinds[kind]).next) + wait
}

/** Replaces operation names with tool names (`bookings.get` becomes `bookings_get`) and removes the backticks. */
const asTools = (words: string): string => words.replace(/`([a-z]+)\.([a-z_]+)`/g, "$1_$2").replaceAll("`", "")
