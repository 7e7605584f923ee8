/** The definition itself, as an oracle: try every order of every choice of calls. */
import type { Answer, Call, History, Seen } from "@trailbook/testkit/linearizability/History"
import { nothingBooked, type State, step } from "@trailbook/testkit/linearizability/model"
import { sameAnswer } from "@trailbook/testkit/linearizability/sameAnswer"

interface Event {
  readonly call: Call
  readonly answer: Answer<Seen> | undefined
  readonly needed: boolean
  readonly moments: ReadonlyArray<number>
}

/** `undefined` where so many steps do not tell: a few histories of five calls would take minutes. */
export const canBeExplained = ({ calls, clock, offering }: History, mostSteps = 300_000): boolean | undefined => {
  let steps = 0
  const events = calls.flatMap((call): ReadonlyArray<Event> => {
    const until = call.answer === undefined ? Infinity : call.returned
    const moments = clock.filter(({ tick }, at) => tick <= until && (clock[at + 1]?.tick ?? Infinity) > call.invoked)
      .map(({ moment }) => moment)
    const answered = { call, answer: call.answer, needed: call.answer !== undefined, moments }
    // Any order may have been tried before it was answered.
    return call.operation._tag === "Book" && call.answer !== undefined
      ? [{ call, answer: undefined, needed: false, moments }, answered]
      : [answered]
  })
  const explains = (left: ReadonlyArray<Event>, state: State): boolean =>
    left.every(({ needed }) => !needed) ||
    left.some((event) => {
      const rest = left.filter((other) => other !== event)
      // Whoever was answered before this was asked must have come before it.
      if (rest.some(({ call, needed }) => needed && call.returned < event.call.invoked)) return false
      // Once it is answered there is no first attempt any more.
      const others = event.needed ? rest.filter(({ call }) => call !== event.call) : rest
      return event.moments.some((moment) => {
        if (++steps > mostSteps) return false
        const { answer, next } = step(offering, state, event.call.operation, moment)
        return (event.answer === undefined || sameAnswer(answer, event.answer)) && explains(others, next)
      })
    })
  const found = explains(events, nothingBooked)
  return found || steps <= mostSteps ? found : undefined
}
