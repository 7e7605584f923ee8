import { Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { yieldToEventLoop } from "@trailbook/core/concurrency"
import { collectChunks, type Emit, type Registry } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * The maximum number of characters in a result. Models cannot read more, so larger exports must be downloaded as a
 * file.
 */
const maxCharacters = 2_000_000

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
          return length > maxCharacters
            ? Effect.zipRight(Deferred.fail(tooLong, refusal(operation)), Effect.never)
            : Effect.zipRight(emit(chunk), yieldToEventLoop)
        })
      return Effect.raceFirst(collectChunks((emit) => stream(name, input, limitSize(emit))), Deferred.await(tooLong))
    })
  }

const refusal = ({ method, path }: Operation.Any) =>
  new Refusal({
    code: "too_large",
    message: `The response exceeds ${maxCharacters} characters, which is too long for an assistant. The REST API ` +
      `returns the complete data: ${method} /v1${path}, with the same key. Or request less data with the list tools.`
  })
