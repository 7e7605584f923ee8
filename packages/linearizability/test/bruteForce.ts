/** Implements the definition of linearizability as an oracle. Tries every order of every subset of calls. */
import type { CallResult, History, ObservedBooking, RecordedCall } from "@trailbook/linearizability/History"
import { applyOperation, emptyState, isSameResult, type ModelState } from "@trailbook/linearizability/model"

interface Event {
  readonly call: RecordedCall
  readonly answer: CallResult<ObservedBooking> | undefined
  readonly needed: boolean
  readonly moments: ReadonlyArray<number>
}

/**
 * Returns whether an order explains the history, or `undefined` after `mostSteps` steps. Without this limit, a few
 * histories with five calls would take minutes.
 */
export const canBeExplained = ({ calls, clock, offering }: History, mostSteps = 300_000): boolean | undefined => {
  let steps = 0
  const events = calls.flatMap((call): ReadonlyArray<Event> => {
    const until = call.answer === undefined ? Infinity : call.returned
    const moments = clock.filter(({ tick }, at) => tick <= until && (clock[at + 1]?.tick ?? Infinity) > call.invoked)
      .map(({ moment }) => moment)
    const answeredEvent = { call, answer: call.answer, needed: call.answer !== undefined, moments }
    // A booking may have been attempted once before the attempt that returned a response.
    return call.operation._tag === "Book" && call.answer !== undefined
      ? [{ call, answer: undefined, needed: false, moments }, answeredEvent]
      : [answeredEvent]
  })
  const explains = (remainingEvents: ReadonlyArray<Event>, state: ModelState): boolean =>
    remainingEvents.every(({ needed }) => !needed) ||
    remainingEvents.some((event) => {
      const rest = remainingEvents.filter((other) => other !== event)
      // A call that returned before this one was invoked must precede it.
      if (rest.some(({ call, needed }) => needed && call.returned < event.call.invoked)) return false
      // After the successful attempt, the first attempt is no longer possible.
      const others = event.needed ? rest.filter(({ call }) => call !== event.call) : rest
      return event.moments.some((moment) => {
        if (++steps > mostSteps) return false
        const { answer, next } = applyOperation(offering, state, event.call.operation, moment)
        return (event.answer === undefined || isSameResult(answer, event.answer)) && explains(others, next)
      })
    })
  const isExplained = explains(events, emptyState)
  return isExplained || steps <= mostSteps ? isExplained : undefined
}
