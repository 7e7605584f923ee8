/**
 * Is there an order of all calls, each at one instant between its question and
 * its answer, in which the model gives the answers that were given? (Herlihy and
 * Wing; searched as Wing and Gong do, and like Lowe remembering which sets of
 * calls were tried with which state.)
 *
 * Two things make it fast. A call that changes nothing here or later and fits
 * now may as well come now: whatever could follow still can. And a call that
 * nobody heard the answer of is only tried where it would change something.
 *
 * Three things are not as in the books:
 *
 * - **Time.** A unit of work reads the clock once it has its locks and commits
 *   later. So a call may go by any moment that the clock of its server showed while it
 *   ran, and by no other; clocks of servers may differ, and may be set back.
 * - **Unheard answers.** They bind nothing: the call may come anywhere after its
 *   question, or nowhere.
 * - **Second attempts.** When the answer of a commit is lost, the engine asks
 *   again with the same key and answers the booking as it is then. So the answer
 *   to an order may show what others have done to its booking meanwhile: the
 *   booking may be made and answered at two instants of the call.
 */
import type { Contradiction } from "./contradiction.ts"
import { contradiction, seenBy } from "./contradiction.ts"
import type { Answer, Call, ClockSet, History, Observation, Offering } from "./History.ts"
import { nothingBooked, type State, step } from "./model.ts"
import { sameAnswer, stateText } from "./sameAnswer.ts"

/** How far an order that explains the answers could be taken. */
export interface Furthest {
  /** The calls, in an order that explains them. */
  readonly order: ReadonlyArray<Call>
  readonly state: State
  /** What came next, none of which fits, and what the model would answer there. */
  readonly stuck: ReadonlyArray<{ readonly call: Call; readonly wanted: ReadonlyArray<Answer> }>
}

export type Verdict =
  | { readonly _tag: "Linearizable" }
  | { readonly _tag: "Contradiction"; readonly contradiction: Contradiction }
  | { readonly _tag: "NotLinearizable"; readonly furthest: Furthest }
  /** The search was given up; nothing is known. */
  | { readonly _tag: "Undecided" }

/** Whether it is known that no order explains the answers. */
export const isWrong = ({ _tag }: Verdict): boolean => _tag === "NotLinearizable" || _tag === "Contradiction"

/** So many states are tried; histories of this kit need some hundreds. */
const triesAtMost = 200_000

export const check = (history: History, tries: number = triesAtMost): Verdict => {
  const impossible = contradiction(history.calls)
  return impossible === undefined
    ? search(history.offering, eventsOf(history), tries)
    : { _tag: "Contradiction", contradiction: impossible }
}

/** Something that happens at one instant: a call, or the first attempt of one. */
interface Event {
  readonly at: number
  readonly call: Call
  readonly answer: Answer | undefined
  /** Infinity for an answer that nobody heard. */
  readonly until: number
  readonly moments: ReadonlyArray<number>
}

const eventsOf = ({ calls, clock }: History): ReadonlyArray<Event> => {
  const seen = new Map(calls.flatMap(seenBy).map((one) => [`${one.booking} ${one.status}`, one]))
  return calls.toSorted((a, b) => a.invoked - b.invoked).flatMap((call): ReadonlyArray<Omit<Event, "at">> => {
    const { answer } = call
    const until = answer === undefined ? Infinity : call.returned
    const moments = momentsOf(
      clock.filter(({ server }) => server === undefined || server === call.server),
      call.invoked,
      until
    )
    const unheard = { call, answer: undefined, until, moments: unheardMoments(call, moments, seen) }
    if (answer === undefined) return [unheard]
    // A first attempt comes before its answer by itself: afterwards it finds its booking there and changes nothing.
    return isLate(call) ? [{ call, answer, until, moments }, unheard] : [{ call, answer, until, moments }]
  }).map((event, at) => ({ ...event, at }))
}

/** What the clock showed from one tick to another. */
const momentsOf = (clock: ReadonlyArray<ClockSet>, from: number, to: number): ReadonlyArray<number> => {
  const before = clock.findLast(({ tick }) => tick <= from)
  const during = clock.filter(({ tick }) => from < tick && tick <= to)
  return [...new Set([...before === undefined ? [] : [before], ...during].map(({ moment }) => moment))]
}

/** Any moment would do for a call without an answer; what others saw of the booking tells which it was. */
const unheardMoments = (
  { operation }: Call,
  moments: ReadonlyArray<number>,
  seen: ReadonlyMap<string, Observation>
): ReadonlyArray<number> => {
  if (operation._tag === "Book") {
    const { booking } = operation
    const one = seen.get(`${booking} held`) ?? seen.get(`${booking} confirmed`) ?? seen.get(`${booking} cancelled`)
    // It may have been later at the place than the clock showed.
    return one === undefined ? moments : moments.filter((moment) => moment <= one.createdAt)
  }
  if (operation._tag !== "Cancel") return moments
  const cancelled = seen.get(`${operation.booking} cancelled`)
  // Nobody saw it cancelled, so nobody saw when.
  return cancelled === undefined ? moments.slice(0, 1) : moments.filter((moment) => moment === cancelled.cancelledAt)
}

/** Whether an order was answered with a booking that is not as it was made. */
const isLate = ({ answer, operation }: Call): boolean => {
  if (operation._tag !== "Book" || answer?._tag !== "Booking") return false
  const { previous, status } = answer.booking
  return previous !== null || status !== (operation.holdMinutes === undefined ? "confirmed" : "held")
}

interface Trail {
  readonly event: Event
  readonly before: Trail | undefined
}

/** Where an order has got to. */
interface Reached {
  readonly done: bigint
  readonly state: State
  readonly trail: Trail | undefined
  /** So many answers are explained … */
  readonly explained: number
  /** … by so many calls; the others went unheard. */
  readonly steps: number
}

const search = (offering: Offering, events: ReadonlyArray<Event>, tries: number): Verdict => {
  const tried = new Set<string>()
  let furthest = start
  let givenUp = false

  /** Whether everything that is still to come can be explained. */
  const explains = (from: Reached): boolean => {
    const reached = quietly(offering, events, from)
    const open = openOf(events, reached.done)
    if (open.every(({ answer }) => answer === undefined)) return true
    if (isFurther(reached, furthest)) furthest = reached
    const key = `${reached.done.toString(36)} ${stateText(reached.state)}`
    if (tried.has(key)) return false
    givenUp ||= tried.size >= tries
    if (givenUp) return false
    tried.add(key)
    return open.toSorted((a, b) => a.until - b.until).some((event) =>
      nexts(offering, event, reached.state).some((next) => explains(after(reached, event, next)))
    )
  }

  if (explains(start)) return { _tag: "Linearizable" }
  return givenUp ? { _tag: "Undecided" } : {
    _tag: "NotLinearizable",
    furthest: furthestOf(offering, furthest, openOf(events, furthest.done))
  }
}

const start: Reached = { done: 0n, state: nothingBooked, trail: undefined, explained: 0, steps: 0 }

const after = ({ done, explained, steps, trail }: Reached, event: Event, state: State): Reached => ({
  done: done | bit(event),
  state,
  trail: { event, before: trail },
  explained: event.answer === undefined ? explained : explained + 1,
  steps: steps + 1
})

/** The longer way to as many answers says more: it has used the calls that went unheard. */
const isFurther = (one: Reached, other: Reached): boolean =>
  one.explained > other.explained || (one.explained === other.explained && one.steps > other.steps)

/**
 * With every call done that changes nothing and fits. A move to where the booking
 * is already is not one of them: done later, it may move the booking back. What is
 * confirmed, cancelled or made, by contrast, is never less so.
 */
const quietly = (offering: Offering, events: ReadonlyArray<Event>, from: Reached): Reached => {
  let reached = from
  for (;;) {
    const { state } = reached
    const quiet = openOf(events, reached.done).find((event) =>
      changesNothingLater(event) && nexts(offering, event, state).includes(state)
    )
    if (quiet === undefined) return reached
    reached = after(reached, quiet, state)
  }
}

const bit = ({ at }: Event): bigint => 1n << BigInt(at)

const changesNothingLater = ({ answer, call: { operation } }: Event): boolean =>
  answer !== undefined && (operation._tag !== "Move" || answer._tag === "Refused")

/** What may come next: whose question came before every answer that is still to come. */
const openOf = (events: ReadonlyArray<Event>, done: bigint): ReadonlyArray<Event> => {
  const open: Array<Event> = []
  let firstAnswer = Infinity
  for (const event of events) {
    if (event.call.invoked > firstAnswer) break
    if ((done & bit(event)) !== 0n) continue
    open.push(event)
    if (event.answer !== undefined) firstAnswer = Math.min(firstAnswer, event.until)
  }
  return open
}

/** The states in which the event may leave things, if it happens in this one. */
const nexts = (offering: Offering, { answer, call, moments }: Event, state: State): ReadonlyArray<State> => {
  const found = new Map<string, State>()
  for (const moment of moments) {
    const { answer: wanted, next } = step(offering, state, call.operation, moment)
    if (next === state) {
      if (answer !== undefined && sameAnswer(wanted, answer)) return [state]
    } else if (answer === undefined || sameAnswer(wanted, answer)) {
      found.set(moments.length === 1 ? "" : stateText(next), next)
    }
  }
  return [...found.values()]
}

const furthestOf = (offering: Offering, { state, trail }: Reached, open: ReadonlyArray<Event>): Furthest => {
  const order: Array<Call> = []
  for (let at = trail; at !== undefined; at = at.before) order.unshift(at.event.call)
  const stuck = open.filter(({ answer }) => answer !== undefined).map(({ call, moments }) => ({
    call,
    wanted: moments.map((moment) => step(offering, state, call.operation, moment).answer)
  }))
  return { order, state, stuck }
}
