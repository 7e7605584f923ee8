import * as Either from "effect/Either"
import type { Complaints } from "./Law.ts"

/** An answer in one word: what a law compares, and what it says. */
export const answerCode = (answer: Either.Either<unknown, { readonly code: string }>): string =>
  Either.isRight(answer) ? "ok" : answer.left.code

/** What is wrong when something else came than was due. */
export const unexpectedAnswer = (what: string, due: string, came: string): Complaints =>
  due === came ? [] : [`${what}: ${due} was due, and ${came} came.`]
