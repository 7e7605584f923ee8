/**
 * Refusals in words that an assistant can go on from: what was wrong, and what
 * to do next.
 */
import type { Refusal } from "@trailbook/core/Refusal"
import { findDeclaration, kinds } from "@trailbook/core/refusals"
import { errorResult, type ToolResult } from "./ToolResult.ts"

export const formatRefusal = (refusal: Refusal): ToolResult =>
  errorResult(`${refusal.code}: ${refusal.message}\nNext: ${next(refusal)}`)

const next = ({ code, kind, retryAfterSeconds }: Refusal): string => {
  const wait = retryAfterSeconds === undefined ? "" : ` Wait ${retryAfterSeconds} s first.`
  return asTools((findDeclaration(code) ?? kinds[kind]).next) + wait
}

/** `bookings.get` is a tool here, and code stands without its marks. */
const asTools = (words: string): string => words.replace(/`([a-z]+)\.([a-z_]+)`/g, "$1_$2").replaceAll("`", "")
