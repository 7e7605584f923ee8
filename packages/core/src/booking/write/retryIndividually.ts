/**
 * Runs the requests of a failed batch one at a time, so that a failing request cannot fail the others.
 *
 * Stops calling the database when waiting again is pointless. If the database is unavailable, all remaining requests
 * fail with the same cause. If a lock times out, the remaining requests with the same key fail with that cause.
 * Otherwise each request would wait for its own timeout, and a batch of 64 could take an hour.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { unavailableReason } from "../../port/unavailableReason.ts"

export const retryIndividually = <In, Out, E, R>(
  inputs: ReadonlyArray<In>,
  placesOf: (input: In) => ReadonlyArray<string>,
  alone: (input: In) => Effect.Effect<Out, E, R>
): Effect.Effect<ReadonlyArray<Exit.Exit<Out, E>>, never, R> =>
  Effect.gen(function*() {
    const kept = new Map<string, Exit.Exit<Out, E>>()
    let down: Exit.Exit<Out, E> | undefined
    const answers: Array<Exit.Exit<Out, E>> = []
    for (const input of inputs) {
      const places = placesOf(input)
      const before = places.map((place) => kept.get(place)).find((answer) => answer !== undefined)
      const answer = down ?? before ?? (yield* Effect.exit(alone(input)))
      answers.push(answer)
      if (Exit.isSuccess(answer)) continue
      const lack = unavailableReason(answer.cause)
      if (lack === "place") { for (const place of places) kept.set(place, answer) }
      if (lack === "database") down = answer
    }
    return answers
  })
