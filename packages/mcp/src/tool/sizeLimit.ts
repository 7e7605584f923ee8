import { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import { collectChunks, type Emit, type Registry } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { UnknownRecord } from "./compactResult.ts"
import type { ToolResult } from "./ToolResult.ts"

/**
 * The maximum number of characters in a result. Models cannot read more than that, so larger exports must be downloaded
 * as a file.
 */
const maxResultCharacters = 2_000_000

/**
 * Runs an operation for an assistant, which needs the complete result. Rejects a result as soon as it exceeds the
 * limit.
 */
export const runWithSizeLimit =
  ({ run, stream }: Registry["Type"]) =>
  (operation: Operation.Any, input: unknown): Effect.Effect<unknown, Refusal, Actor> => {
    const { chunked, name } = operation
    if (!chunked) return run(name, input)
    return Effect.flatMap(Deferred.make<never, Refusal>(), (tooLong) => {
      let length = 0
      const limitSize = (emit: Emit): Emit => (chunk) =>
        Effect.suspend(() => {
          length += JSON.stringify(chunk).length
          return length > maxResultCharacters
            ? Effect.zipRight(Deferred.fail(tooLong, refusal(operation)), Effect.never)
            : Effect.zipRight(emit(chunk), yieldToEventLoop)
        })
      return Effect.raceFirst(collectChunks((emit) => stream(name, input, limitSize(emit))), Deferred.await(tooLong))
    })
  }

const refusal = ({ method, path }: Operation.Any) =>
  new Refusal({
    code: "too_large",
    message:
      `The response exceeds ${maxResultCharacters} characters, which is too long for an assistant. The REST API ` +
      `returns the complete data: ${method} /v1${path}, with the same key. Or request less data with the list tools.`
  })

/**
 * The maximum number of characters on the default page of a list, which is at most 2,000 tokens. Every row that a model
 * reads costs money. A row with many IDs has 2.2 characters per token, and a sentence has more than 4.
 */
export const maxPageCharacters = 4300

/** Returns how many rows fit on a page, or undefined if all rows fit or the caller has chosen the limit. */
export const computeShorterLimit = (
  input: UnknownRecord,
  { content, structuredContent }: ToolResult
): number | undefined => {
  const rows = structuredContent?.data
  if ("limit" in input || !Array.isArray(rows) || rows.length < 2) return undefined
  const length = Math.max(JSON.stringify(structuredContent).length, ...content.map(({ text }) => text.length))
  if (length <= maxPageCharacters) return undefined
  // Add up the lengths of the rows, because the first rows can be longer than the others.
  const sizes = rows.map((row) => JSON.stringify(row).length)
  let budget = sizes.reduce((sum, size) => sum + size, 0) * maxPageCharacters / length
  const count = sizes.findIndex((size) => (budget -= size) < 0)
  return Math.max(1, count)
}
