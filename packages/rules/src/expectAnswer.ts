import * as Either from "effect/Either"
import type { Complaints } from "./Law.ts"

/** Returns a response as one word, for comparisons and messages. */
export const answerCode = (answer: Either.Either<unknown, { readonly code: string }>): string =>
  Either.isRight(answer) ? "ok" : answer.left.code

/** Describes a response that differs from the expected one. */
export const unexpectedAnswer = (what: string, due: string, came: string): Complaints =>
  due === came ? [] : [`${what}: expected ${due}, got ${came}.`]
