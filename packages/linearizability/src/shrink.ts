/**
 * Shrinks an unexplainable history. Each step only removes constraints. If the remaining history is unexplainable, the
 * original is unexplainable too. The steps are:
 *
 * - The history is cut short, and calls in progress lose their response.
 * - A read or a refusal is removed, because it changed nothing.
 * - If no remaining response depends on occupancy (lists, remaining capacity, capacity refusals), all calls about a
 *   booking are removed, which only frees capacity.
 * - Any other call loses its response. Its effect can still occur at any time, or never. Removing such a call would
 *   imply that its effect never occurs.
 */
import { check, isWrong } from "./check.ts"
import { seenBy } from "./contradiction.ts"
import type { Call, History } from "./History.ts"

/** The maximum number of attempts per check. If a check exceeds this number, the removed calls are restored. */
export const maxShrinkAttempts = 500

export const shrinkHistory = (history: History): History => {
  const short = shortest(history)
  const roomy = keepCalls(short, (call) => !dependsOnRoom(call))
  const bookings = [...new Set(short.calls.flatMap(about))]
  const fewer = stillWrong(roomy)
    ? removeUnneeded(
      roomy,
      bookings,
      (current, some) => keepCalls(current, (call) => !about(call).some((one) => some.has(one)))
    )
    : short
  return withoutAnswers(fewer)
}

/** Drops responses for as long as the rest remains unexplainable. */
const withoutAnswers = (history: History): History => {
  const calls = history.calls.filter(({ answer }) => answer !== undefined)
  const quiet = removeUnneeded(
    history,
    calls.filter(changedNothing),
    (current, some) => keepCalls(current, (call) => !some.has(call))
  )
  const result = removeUnneeded(quiet, calls.filter((call) => !changedNothing(call)), unheard)
  return result.calls.every((call) => history.calls.includes(call)) && result.calls.length === history.calls.length
    ? result
    : withoutAnswers(result)
}

const stillWrong = (history: History): boolean => isWrong(check(history, maxShrinkAttempts))

const keepCalls = (history: History, keeps: (call: Call) => boolean): History => ({
  ...history,
  calls: history.calls.filter(keeps)
})

const unheard = (history: History, some: ReadonlySet<Call>): History => ({
  ...history,
  calls: history.calls.map((call) => some.has(call) ? { ...call, answer: undefined } : call)
})

/** Returns the bookings that a call concerns. */
const about = (call: Call): ReadonlyArray<string> => [
  ..."booking" in call.operation ? [call.operation.booking] : [],
  ...seenBy(call).map(({ booking }) => booking)
]

const changedNothing = ({ answer, operation }: Call): boolean =>
  answer?._tag === "Refused" || operation._tag === "Get" || operation._tag === "List" ||
  operation._tag === "Availability"

const dependsOnRoom = ({ answer, operation }: Call): boolean =>
  operation._tag === "List" || operation._tag === "Availability" ||
  (answer?._tag === "Refused" && (answer.code === "slot_full" || answer.code === "hold_expired"))

/** Returns the shortest prefix that cannot be explained. */
const shortest = (history: History): History => {
  const ticks = history.calls.map(({ returned }) => returned).toSorted((a, b) => a - b)
  const until = (at: number): History => {
    const tick = ticks[at] ?? Infinity
    return unheard(
      keepCalls(history, ({ invoked }) => invoked <= tick),
      new Set(history.calls.filter(({ returned }) => returned > tick))
    )
  }
  let low = 0
  let high = ticks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (stillWrong(until(middle))) high = middle
    else low = middle + 1
  }
  return stillWrong(until(high)) ? until(high) : history
}

/** Removes halves, then quarters, and so on, until no single item can be removed. */
const removeUnneeded = <A>(
  history: History,
  things: ReadonlyArray<A>,
  without: (history: History, some: ReadonlySet<A>) => History
): History => {
  let current = history
  let needed = things
  for (let size = needed.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < needed.length;) {
      const some = new Set(needed.slice(from, from + size))
      const less = without(current, some)
      if (stillWrong(less)) {
        current = less
        needed = needed.filter((one) => !some.has(one))
      } else from += size
    }
  }
  return current
}
