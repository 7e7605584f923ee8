/**
 * Shrinks an unexplainable history. Each step only removes constraints. If the remaining history is unexplainable, the
 * original is unexplainable too. The steps are:
 *
 * - The history is cut short, and calls in progress lose their response.
 * - A read or a refusal is removed, because it changed nothing.
 * - If no remaining response depends on occupancy (lists, remaining capacity, capacity refusals), all calls about a
 *   booking are removed, which only frees capacity.
 * - Any other call loses its response. Its effect can still occur at any time, or never. Removing such a call would
 *   imply that its effect never occurred.
 */
import { checkHistory, isViolation } from "./checkHistory.ts"
import { type History, listBookingNames, type RecordedCall } from "./History.ts"

/** The maximum number of attempts per check. If a check exceeds this number, the removed calls are restored. */
export const maxShrinkAttempts = 500

export const shrinkHistory = (history: History): History => {
  const prefix = findShortestPrefix(history)
  const unconstrained = keepCalls(prefix, (call) => !dependsOnOccupancy(call))
  const bookings = [...new Set(prefix.calls.flatMap(listBookingNames))]
  const remaining = isUnexplainable(unconstrained)
    ? removeUnneeded(
      unconstrained,
      bookings,
      (current, some) => keepCalls(current, (call) => !listBookingNames(call).some((one) => some.has(one)))
    )
    : prefix
  return dropResponses(remaining)
}

/** Drops responses as long as the rest remains unexplainable. */
const dropResponses = (history: History): History => {
  const calls = history.calls.filter(({ answer }) => answer !== undefined)
  const withoutReads = removeUnneeded(
    history,
    calls.filter(isUnchanging),
    (current, some) => keepCalls(current, (call) => !some.has(call))
  )
  const result = removeUnneeded(withoutReads, calls.filter((call) => !isUnchanging(call)), removeResponses)
  return result.calls.every((call) => history.calls.includes(call)) && result.calls.length === history.calls.length
    ? result
    : dropResponses(result)
}

const isUnexplainable = (history: History): boolean => isViolation(checkHistory(history, maxShrinkAttempts))

const keepCalls = (history: History, isKept: (call: RecordedCall) => boolean): History => ({
  ...history,
  calls: history.calls.filter(isKept)
})

const removeResponses = (history: History, calls: ReadonlySet<RecordedCall>): History => ({
  ...history,
  calls: history.calls.map((call) => calls.has(call) ? { ...call, answer: undefined } : call)
})

const isUnchanging = ({ answer, operation }: RecordedCall): boolean =>
  answer?._tag === "Refused" || operation._tag === "Get" || operation._tag === "List" ||
  operation._tag === "Availability"

const dependsOnOccupancy = ({ answer, operation }: RecordedCall): boolean =>
  operation._tag === "List" || operation._tag === "Availability" ||
  (answer?._tag === "Refused" && (answer.code === "slot_full" || answer.code === "hold_expired"))

/** Returns the shortest prefix that cannot be explained. */
const findShortestPrefix = (history: History): History => {
  const ticks = history.calls.map(({ returned }) => returned).toSorted((a, b) => a - b)
  const prefixUntil = (at: number): History => {
    const tick = ticks[at] ?? Infinity
    return removeResponses(
      keepCalls(history, ({ invoked }) => invoked <= tick),
      new Set(history.calls.filter(({ returned }) => returned > tick))
    )
  }
  let low = 0
  let high = ticks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (isUnexplainable(prefixUntil(middle))) high = middle
    else low = middle + 1
  }
  return isUnexplainable(prefixUntil(high)) ? prefixUntil(high) : history
}

/** Removes halves, then quarters, and so on, until no single item can be removed. */
const removeUnneeded = <A>(
  history: History,
  items: ReadonlyArray<A>,
  remove: (history: History, removed: ReadonlySet<A>) => History
): History => {
  let current = history
  let needed = items
  for (let size = needed.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < needed.length;) {
      const candidates = new Set(needed.slice(from, from + size))
      const reduced = remove(current, candidates)
      if (isUnexplainable(reduced)) {
        current = reduced
        needed = needed.filter((one) => !candidates.has(one))
      } else from += size
    }
  }
  return current
}
