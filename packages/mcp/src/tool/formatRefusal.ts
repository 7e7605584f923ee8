/** Formats refusals for assistants: the problem and the next step. */
import type { Refusal } from "@trailbook/core/Refusal"
import { findDeclaration, kinds } from "@trailbook/core/refusals"
import { errorResult, type ToolResult } from "./ToolResult.ts"

export const formatRefusal = (refusal: Refusal): ToolResult =>
  errorResult(`${refusal.code}: ${refusal.message}\nNext: ${next(refusal)}`)

const next = ({ code, kind, retryAfterSeconds }: Refusal): string => {
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${retryAfterSeconds} s first.`
  return asTools((findDeclaration(code) ?? kinds[kind]).next) + wait
}

/** `bookings.get` is the tool `bookings_get`, and code is shown without backticks. */
const asTools = (words: string): string => words.replace(/`([a-z]+)\.([a-z_]+)`/g, "$1_$2").replaceAll("`", "")
