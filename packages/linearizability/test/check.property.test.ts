/**
 * Tests the checker against the definition of linearizability, and on histories that are correct or wrong by
 * construction.
 */
import { checkHistory, isViolation } from "@trailbook/linearizability/checkHistory"
import type { CallResult, History, ObservedBooking, RecordedCall } from "@trailbook/linearizability/History"
import { maxShrinkAttempts, shrinkHistory } from "@trailbook/linearizability/shrinkHistory"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { runs } from "../../../test/runs.ts"
import { canBeExplained } from "./bruteForce.ts"
import { answerStory, clockOf, offering, oneByOne, story } from "./story.ts"

const isRight = (history: History): boolean => checkHistory(history)._tag === "Linearizable"

/**
 * Calls that execute one after another. Each request is sent some time before it executes, and its response arrives
 * some time later.
 */
const overlappingHistory = (maxLength: number) =>
  FastCheck.tuple(offering, story(maxLength)).chain(([offering, story]) =>
    FastCheck.tuple(
      ...story.map(() =>
        FastCheck.record({
          before: FastCheck.nat(25),
          after: FastCheck.nat(25),
          fate: FastCheck.constantFrom("heard", "heard", "heard", "heard", "unheard", "never")
        })
      )
    ).map((spans): History => {
      const appliedCalls = story.filter((_, at) => spans[at]?.fate !== "never")
      const results = [...answerStory(offering, appliedCalls)]
      return {
        offering,
        clock: clockOf(story, story.map((_, at) => 10 * at)),
        calls: story.map(([operation], at): RecordedCall => {
          const { after = 0, before = 0, fate } = spans[at] ?? {}
          const answer = fate === "never" ? undefined : results.shift()
          return {
            client: at,
            operation,
            // No two events share a tick.
            invoked: 10 * at - before - (at + 1) / 1000,
            returned: 10 * at + after + (at + 1) / 1000,
            answer: fate === "heard" ? answer : undefined
          }
        })
      }
    })
  )

/** Requests that arrive in an order unrelated to the execution order. */
const shuffledHistory = FastCheck.tuple(
  offering,
  story(5),
  FastCheck.array(FastCheck.nat(60), { minLength: 12, maxLength: 12 })
)
  .map(([offering, story, ticks]): History => {
    const results = answerStory(offering, story)
    return {
      offering,
      clock: clockOf(story, story.map((_, at) => 10 * at)),
      calls: story.map(([operation], at): RecordedCall => {
        const [one = 0, other = 0] = [ticks[2 * at], ticks[2 * at + 1]]
        return {
          client: at,
          operation,
          invoked: Math.min(one, other) + (at + 1) / 1000,
          returned: Math.max(one, other) + (at + 1) / 100,
          answer: (ticks[10] ?? 0) % 6 === at ? undefined : results[at]
        }
      })
    }
  })

const changeBooking = (booking: ObservedBooking, at: number): ObservedBooking => {
  const others: ReadonlyArray<ObservedBooking> = [
    { ...booking, status: booking.status === "cancelled" ? "confirmed" : "cancelled" },
    { ...booking, quantity: booking.quantity + 1 },
    { ...booking, place: "elsewhere" },
    { ...booking, createdAt: booking.createdAt - 1 },
    { ...booking, expiresAt: (booking.expiresAt ?? 0) + 1 },
    { ...booking, previous: { place: "elsewhere", startsAt: 0, endsAt: 1 } }
  ]
  return others[at % others.length] ?? booking
}

/** Returns a different response to the same call. */
const distort = (answer: CallResult<ObservedBooking>, at: number): CallResult<ObservedBooking> => {
  switch (answer._tag) {
    case "Refused":
      return { ...answer, code: answer.code === "not_found" ? "slot_full" : "not_found" }
    case "Booking":
      return at % 7 === 0
        ? { _tag: "Refused", code: "slot_full" }
        : { ...answer, booking: changeBooking(answer.booking, at) }
    case "Bookings":
      return answer.bookings.length === 0
        ? { ...answer, bookings: [phantom] }
        : { ...answer, bookings: answer.bookings.slice(1) }
    case "Slots":
      return { ...answer, slots: answer.slots.map((slot) => ({ ...slot, remaining: slot.remaining + 1 })) }
  }
}

const phantom: ObservedBooking = {
  booking: "k9",
  id: "id-k9",
  identity: "nobody made it",
  status: "confirmed",
  place: "p0",
  startsAt: 1,
  endsAt: 2,
  quantity: 1,
  createdAt: 0,
  expiresAt: null,
  cancelledAt: null,
  previous: null
}

describe("the checker", () => {
  it("accepts a sequential history with any delays", () => {
    FastCheck.assert(FastCheck.property(overlappingHistory(30), isRight), { numRuns: 500 })
  })

  it("agrees with an exhaustive search of all orders", () => {
    const counts = { right: 0, wrong: 0 }
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(shuffledHistory, overlappingHistory(4)), (history) => {
        const right = canBeExplained(history)
        FastCheck.pre(right !== undefined)
        counts[right ? "right" : "wrong"]++
        assert.strictEqual(isRight(history), right)
      }),
      { numRuns: runs(1500, 400) }
    )
    assert.isAbove(counts.right, runs(500, 100))
    assert.isAbove(counts.wrong, runs(100, 20))
  })

  it("rejects a wrong result from a non-overlapping call", () => {
    FastCheck.assert(
      FastCheck.property(offering, story(20), FastCheck.nat(), FastCheck.nat(), (offering, story, which, how) => {
        const { calls, ...history } = oneByOne(offering, story)
        const lie = which % calls.length
        const wrongCalls = calls.map((call, at) =>
          at !== lie || call.answer === undefined ? call : { ...call, answer: distort(call.answer, how) }
        )
        // `lied` cannot change an empty list of slots.
        FastCheck.pre(!(isEmpty(calls[lie]?.answer)))
        assert.isFalse(isRight({ ...history, calls: wrongCalls }))
      }),
      { numRuns: 2000 }
    )
  })

  it("shrinks an invalid history to a smaller invalid one", () => {
    let spareCount = 0
    FastCheck.assert(
      FastCheck.property(overlappingHistory(12), FastCheck.nat(), FastCheck.nat(), (history, which, how) => {
        const lie = which % history.calls.length
        const wrong: History = {
          ...history,
          calls: history.calls.map((call, at) =>
            at !== lie || call.answer === undefined ? call : { ...call, answer: distort(call.answer, how) }
          )
        }
        FastCheck.pre(!isRight(wrong))
        const small = shrinkHistory(wrong)
        assert.isFalse(isRight(small))
        const answeredCalls = small.calls.filter(({ answer }) => answer !== undefined)
        spareCount += wrong.calls.length - answeredCalls.length
        // Removing any of the remaining results must make the history explainable, as far as the limited search can
        // tell.
        for (const answeredCall of answeredCalls) {
          const calls = small.calls.map((call) => call === answeredCall ? { ...call, answer: undefined } : call)
          assert.isFalse(isViolation(checkHistory({ ...small, calls }, maxShrinkAttempts)))
        }
      }),
      { numRuns: 300 }
    )
    assert.isAbove(spareCount, 300)
  })
})

const isEmpty = (answer: CallResult<ObservedBooking> | undefined): boolean =>
  answer?._tag === "Slots" && answer.slots.length === 0
