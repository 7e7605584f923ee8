/**
 * What becomes of a batch that failed as a whole: its members are run alone, so
 * that one of them cannot fail the others.
 *
 * Unless the database cannot work. Then it does not work for the others either,
 * and each of them would wait for it in turn, a minute or an hour for what the
 * first one was told after seconds: they get its answer. Where it is somebody
 * else who keeps a place, that goes for who wants the same place.
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
