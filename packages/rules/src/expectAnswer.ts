import * as Either from "effect/Either"
import type { Complaints } from "./Law.ts"

/** Returns a response as one word, for comparisons and messages. */
export const answerCode = (answer: Either.Either<unknown, { readonly code: string }>): string =>
  Either.isRight(answer) ? "ok" : answer.left.code

/** Describes a response that differs from the expected one. */
export const unexpectedAnswer = (label: string, expected: string, actual: string): Complaints =>
  expected === actual ? [] : [`${label}: expected ${expected}, got ${actual}.`]
