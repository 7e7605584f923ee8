import { describe, expect, it } from "@effect/vitest"
import { parallel, pipeline, type QueryRunner, sequential } from "@trailbook/core/concurrency/scheduler"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"

/** The outcome of a query, and the number of event-loop turns it takes. */
const question = FastCheck.record({
  turns: FastCheck.nat(3),
  end: FastCheck.constantFrom("answers", "answers", "answers", "fails", "dies")
})

type Question = typeof question extends FastCheck.Arbitrary<infer A> ? A : never

const questions = FastCheck.dictionary(FastCheck.stringMatching(/^[a-z]{1,3}$/), question, { maxKeys: 5 })

const ways: ReadonlyArray<readonly [name: string, queryAll: QueryRunner]> = [
  ["sequential", sequential],
  ["parallel", parallel],
  ["pipeline", pipeline]
]

const endOf = (name: string, { end }: Question): Exit.Exit<string, string> =>
  end === "answers" ? Exit.succeed(name) : end === "fails" ? Exit.fail(name) : Exit.die(name)

/** Runs the queries and records which of them started and which finished. */
const recordQueries = (all: Readonly<Record<string, Question>>) => {
  const begun: Array<string> = []
  const ended: Array<string> = []
  const queries = Object.fromEntries(
    Object.entries(all).map(([name, question]) => [
      name,
      Effect.gen(function*() {
        begun.push(name)
        for (let turn = 0; turn < question.turns; turn++) yield* Effect.yieldNow()
        ended.push(name)
        return yield* endOf(name, question)
      })
    ])
  )
  return { queries, begun, ended }
}

describe.each(ways)("%s", (way, queryAll) => {
  it.effect.prop(
    "fails only after all started queries have ended",
    [questions],
    ([all]) =>
      Effect.gen(function*() {
        const { queries, begun, ended } = recordQueries(all)
        const exit = yield* Effect.exit(queryAll(queries))
        const ends = Object.entries(all).map(([name, question]) => endOf(name, question))
        const failures = ends.filter(Exit.isFailure)
        if (failures.length === 0) {
          expect(exit).toEqual(Exit.succeed(Object.fromEntries(Object.keys(all).map((name) => [name, name]))))
        } else expect(failures).toContainEqual(exit)
        // No query is still running, so the transaction can end.
        expect(ended.toSorted()).toEqual(begun.toSorted())
        if (way !== "sequential") expect(begun.toSorted()).toEqual(Object.keys(all).toSorted())
      })
  )
})

it.effect("runs queries concurrently with `parallel`, and one at a time with `sequential`", () =>
  Effect.gen(function*() {
    const underWay: Array<number> = []
    let now = 0
    const one = Effect.gen(function*() {
      now++
      yield* Effect.yieldNow()
      underWay.push(now)
      yield* Effect.yieldNow()
      now--
    })
    yield* parallel({ a: one, b: one, c: one })
    expect(Math.max(...underWay)).toBe(3)
    underWay.length = 0
    yield* sequential({ a: one, b: one, c: one })
    expect(underWay).toEqual([1, 1, 1])
  }))

it.effect.prop(
  "starts queries in the given order with `pipeline`",
  [questions, FastCheck.integer({ min: 16, max: 60 })],
  ([all, opsBeforeYield]) =>
    Effect.gen(function*() {
      const { begun, queries } = recordQueries(all)
      yield* Effect.withMaxOpsBeforeYield(Effect.exit(pipeline(queries)), opsBeforeYield)
      expect(begun).toEqual(Object.keys(all))
    })
)
