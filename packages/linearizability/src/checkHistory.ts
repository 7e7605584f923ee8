/**
 * Searches for an order of all calls in which the model returns the observed responses (Herlihy and Wing). Each call
 * takes effect at a single instant between its request and its response. The search follows Wing and Gong. Like Lowe's
 * algorithm, it caches the visited pairs of completed calls and state.
 *
 * Three optimizations make the search fast. First, a call that fits now and never changes anything is taken
 * immediately, because taking it early cannot rule out a valid order. Second, a call without a response is tried only
 * if it would change something. Third, such a call is tried only if the remaining responses allow the stage that its
 * booking would reach. For example, a creation whose booking is missing from the last list is not tried before that
 * list. Without this rule, every subset of such calls would be tried.
 *
 * The search differs from the literature in three ways:
 *
 * - **Time.** A unit of work reads the clock once it has its locks, and commits later. A call can use only the instants
 *   that its server's clock showed while the call ran. Server clocks can differ and can be set back.
 * - **Missing responses.** A missing response constrains nothing. Its call can take effect at any time after the
 *   request, or never.
 * - **Retries.** If the response to a commit is lost, the engine retries with the same key and returns the booking's
 *   current state. The response to a creation can therefore show changes by other clients, because the call creates the
 *   booking at one instant and reads it at a later one.
 */
import {
  type BookingObservation,
  type CallResult,
  type ClockChange,
  type History,
  listObservedBookings,
  type ObservedBooking,
  type Offering,
  type RecordedCall
} from "./History.ts"
import { applyOperation, emptyState, encodeState, isSameResult, type ModelState } from "./model.ts"

/** The longest prefix that the search could explain. */
export interface LongestExplainedPrefix {
  /** The explained calls, in order. */
  readonly order: ReadonlyArray<RecordedCall>
  readonly state: ModelState
  /** The candidates for the next call, with the model's responses to them. No candidate fits. */
  readonly stuck: ReadonlyArray<{ readonly call: RecordedCall; readonly wanted: ReadonlyArray<CallResult> }>
}

export type HistoryCheckResult =
  | { readonly _tag: "Linearizable" }
  | { readonly _tag: "Contradiction"; readonly contradiction: string }
  | { readonly _tag: "NotLinearizable"; readonly furthest: LongestExplainedPrefix }
  /** The search reached its limit, so the result is unknown. */
  | { readonly _tag: "Undecided" }

/** Returns whether no order of calls can explain the responses. */
export const isViolation = ({ _tag }: HistoryCheckResult): boolean =>
  _tag === "NotLinearizable" || _tag === "Contradiction"

/** The maximum number of visited states. This package's histories need several hundred. */
const maxTries = 200_000

export const checkHistory = (history: History, tries: number = maxTries): HistoryCheckResult => {
  const contradiction = findContradiction(history.calls)
  return contradiction === undefined
    ? search(history.offering, toEvents(history), tries)
    : { _tag: "Contradiction", contradiction }
}

/** Something that happens at a single instant: a call, or the first attempt of a call. */
interface Event {
  readonly at: number
  readonly call: RecordedCall
  readonly answer: CallResult | undefined
  /** The tick of the response. Infinity if the response is missing. */
  readonly until: number
  readonly moments: ReadonlyArray<number>
}

const toEvents = ({ calls, clock }: History): ReadonlyArray<Event> => {
  const observations = new Map(calls.flatMap(listObservedBookings).map((one) => [`${one.booking} ${one.status}`, one]))
  return calls.toSorted((a, b) => a.invoked - b.invoked).flatMap((call): ReadonlyArray<Omit<Event, "at">> => {
    const { answer } = call
    const until = answer === undefined ? Infinity : call.returned
    const moments = findMoments(
      clock.filter(({ server }) => server === undefined || server === call.server),
      call.invoked,
      until
    )
    const unanswered = { call, answer: undefined, until, moments: findUnansweredMoments(call, moments, observations) }
    if (answer === undefined) return [unanswered]
    // The two events can come in either order. If the first attempt comes after the event with the response, it finds
    // the booking and changes nothing.
    return isLate(call) ? [{ call, answer, until, moments }, unanswered] : [{ call, answer, until, moments }]
  }).map((event, at) => ({ ...event, at }))
}

/** Returns the instants that the clock showed between two ticks. */
const findMoments = (clock: ReadonlyArray<ClockChange>, from: number, to: number): ReadonlyArray<number> => {
  const lastBefore = clock.findLast(({ tick }) => tick <= from)
  const during = clock.filter(({ tick }) => from < tick && tick <= to)
  return [...new Set([...lastBefore === undefined ? [] : [lastBefore], ...during].map(({ moment }) => moment))]
}

/** Limits a call without a response to the instants that other clients' observations of the booking allow. */
const findUnansweredMoments = (
  { operation }: RecordedCall,
  moments: ReadonlyArray<number>,
  observations: ReadonlyMap<string, BookingObservation>
): ReadonlyArray<number> => {
  if (operation._tag === "Book") {
    const { booking } = operation
    const observation = observations.get(`${booking} held`) ?? observations.get(`${booking} confirmed`) ??
      observations.get(`${booking} cancelled`)
    // The creation time can be later than any time that the clock showed, because time never moves back at a place.
    return observation === undefined ? moments : moments.filter((moment) => moment <= observation.createdAt)
  }
  if (operation._tag !== "Cancel") return moments
  const cancellation = observations.get(`${operation.booking} cancelled`)
  // No client saw the cancellation, so its time is irrelevant.
  return cancellation === undefined
    ? moments.slice(0, 1)
    : moments.filter((moment) => moment === cancellation.cancelledAt)
}

/** Returns whether a create call returned a booking that had already been changed. */
const isLate = ({ answer, operation }: RecordedCall): boolean => {
  if (operation._tag !== "Book" || answer?._tag !== "Booking") return false
  const { previous, status } = answer.booking
  return previous !== null || status !== (operation.holdMinutes === undefined ? "confirmed" : "held")
}

interface Trail {
  readonly event: Event
  readonly before: Trail | undefined
}

/** The beginning of a possible order of calls, and the state that it leads to. */
interface ReachedState {
  readonly completedCalls: bigint
  readonly state: ModelState
  readonly trail: Trail | undefined
  /** The number of explained responses. */
  readonly explained: number
  /** The number of calls used, including calls without a response. */
  readonly steps: number
}

const search = (offering: Offering, events: ReadonlyArray<Event>, tries: number): HistoryCheckResult => {
  const visitedKeys = new Set<string>()
  const limits = makeStageLimits(events)
  let furthest = initialState
  let isExhausted = false

  /** Returns whether all remaining calls can be explained. */
  const canExplain = (from: ReachedState): boolean => {
    const node = takeQuietCalls(offering, events, from)
    const candidates = findCandidates(events, node.completedCalls)
    if (candidates.every(({ answer }) => answer === undefined)) return true
    if (isFurther(node, furthest)) furthest = node
    const key = `${node.completedCalls.toString(36)} ${encodeState(node.state)}`
    if (visitedKeys.has(key)) return false
    isExhausted ||= visitedKeys.size >= tries
    if (isExhausted) return false
    visitedKeys.add(key)
    return candidates.toSorted((a, b) => a.until - b.until).some((event) =>
      findNextStates(offering, event, node.state).some((nextState) =>
        !isPremature(limits, event, node.completedCalls, nextState) && canExplain(advance(node, event, nextState))
      )
    )
  }

  if (canExplain(initialState)) return { _tag: "Linearizable" }
  return isExhausted ? { _tag: "Undecided" } : {
    _tag: "NotLinearizable",
    furthest: toFurthestPrefix(offering, furthest, findCandidates(events, furthest.completedCalls))
  }
}

/** The stages of a booking. A booking can skip a stage, but it never returns to an earlier one. */
const stages = { absent: 0, held: 1, confirmed: 2, cancelled: 3 }

type BookingStage = keyof typeof stages

/**
 * For each booking, the responses that limit its stage, and the latest stage that it could have reached before each
 * response.
 */
type StageLimits = ReadonlyMap<string, ReadonlyArray<{ readonly bit: bigint; readonly status: BookingStage }>>

const makeStageLimits = (events: ReadonlyArray<Event>): StageLimits => {
  const limits = new Map<string, Array<{ readonly bit: bigint; readonly status: BookingStage }>>()
  const addLimit = (booking: string, event: Event, status: BookingStage) => {
    const earlierLimits = limits.get(booking) ?? []
    limits.set(booking, [...earlierLimits, { bit: toBit(event), status }])
  }
  const bookings = [
    ...new Set(events.flatMap(({ call: { operation } }) => operation._tag === "Book" ? [operation.booking] : []))
  ]
  for (const event of events) {
    if (event.answer === undefined) continue
    const { call } = event
    const sightings = listObservedBookings(call)
    for (const { booking, status } of sightings) addLimit(booking, event, status)
    for (const booking of absentBookings(call, bookings)) {
      if (!sightings.some((one) => one.booking === booking)) addLimit(booking, event, "absent")
    }
  }
  return limits
}

/** Returns the bookings that a call's response proves absent, unless they appear in the response itself. */
const absentBookings = (
  { answer, operation }: RecordedCall,
  bookings: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (operation._tag === "List") return operation.status === undefined ? bookings : []
  if (answer?._tag !== "Refused") return []
  if (operation._tag === "Book") return answer.code === "idempotency_conflict" ? [] : [operation.booking]
  // A move is also refused with `not_found` if its place does not exist.
  return operation._tag !== "Availability" && operation._tag !== "Move" && answer.code === "not_found"
    ? [operation.booking]
    : []
}

/** Returns whether a call without a response moves a booking past the stage that a remaining response shows. */
const isPremature = (
  limits: StageLimits,
  { answer, call: { operation } }: Event,
  doneBits: bigint,
  nextState: ModelState
) => {
  if (answer !== undefined || !("booking" in operation)) return false
  const status = stages[nextState.get(operation.booking)?.status ?? "absent"]
  return limits.get(operation.booking)?.some((limit) =>
    (doneBits & limit.bit) === 0n && stages[limit.status] < status
  ) ??
    false
}

const initialState: ReachedState = { completedCalls: 0n, state: emptyState, trail: undefined, explained: 0, steps: 0 }

const advance = (
  { completedCalls: done, explained, steps, trail }: ReachedState,
  event: Event,
  state: ModelState
): ReachedState => ({
  completedCalls: done | toBit(event),
  state,
  trail: { event, before: trail },
  explained: event.answer === undefined ? explained : explained + 1,
  steps: steps + 1
})

/**
 * Returns whether one prefix explains more than another. If two prefixes explain equally many responses, the longer one
 * is more useful, because it includes more calls without a response.
 */
const isFurther = (one: ReachedState, other: ReachedState): boolean =>
  one.explained > other.explained || (one.explained === other.explained && one.steps > other.steps)

/**
 * Takes every matching call that changes nothing, now or later. Excludes a move to the booking's current place, because
 * the same move could move the booking back if it were taken later. In contrast, a creation, confirmation, or
 * cancellation is never undone.
 */
const takeQuietCalls = (offering: Offering, events: ReadonlyArray<Event>, from: ReachedState): ReachedState => {
  let node = from
  for (;;) {
    const { state } = node
    const quietEvent = findCandidates(events, node.completedCalls).find((event) =>
      changesNothingLater(event) && findNextStates(offering, event, state).includes(state)
    )
    if (quietEvent === undefined) return node
    node = advance(node, quietEvent, state)
  }
}

const toBit = ({ at }: Event): bigint => 1n << BigInt(at)

const changesNothingLater = ({ answer, call: { operation } }: Event): boolean =>
  answer !== undefined && (operation._tag !== "Move" || answer._tag === "Refused")

/** Returns the candidates for the next call: all calls whose request precedes every remaining response. */
const findCandidates = (events: ReadonlyArray<Event>, doneBits: bigint): ReadonlyArray<Event> => {
  const candidates: Array<Event> = []
  let firstAnswer = Infinity
  for (const event of events) {
    if (event.call.invoked > firstAnswer) break
    if ((doneBits & toBit(event)) !== 0n) continue
    candidates.push(event)
    if (event.answer !== undefined) firstAnswer = Math.min(firstAnswer, event.until)
  }
  return candidates
}

/** Returns the states that the event can lead to from this state. */
const findNextStates = (
  offering: Offering,
  { answer, call, moments }: Event,
  state: ModelState
): ReadonlyArray<ModelState> => {
  const states = new Map<string, ModelState>()
  for (const moment of moments) {
    const { answer: modelAnswer, next } = applyOperation(offering, state, call.operation, moment)
    if (next === state) {
      if (answer !== undefined && isSameResult(modelAnswer, answer)) return [state]
    } else if (answer === undefined || isSameResult(modelAnswer, answer)) {
      states.set(moments.length === 1 ? "" : encodeState(next), next)
    }
  }
  return [...states.values()]
}

const toFurthestPrefix = (
  offering: Offering,
  { state, trail }: ReachedState,
  candidates: ReadonlyArray<Event>
): LongestExplainedPrefix => {
  const order: Array<RecordedCall> = []
  for (let at = trail; at !== undefined; at = at.before) order.unshift(at.event.call)
  const stuck = candidates.filter(({ answer }) => answer !== undefined).map(({ call, moments }) => ({
    call,
    wanted: moments.map((moment) => applyOperation(offering, state, call.operation, moment).answer)
  }))
  return { order, state, stuck }
}

/**
 * Finds a contradiction that no order of the calls can explain, such as one booking with two identities, two bookings
 * with the same identity, or an unsorted list.
 */
const findContradiction = (calls: ReadonlyArray<RecordedCall>): string | undefined => {
  const byName = new Map<string, ObservedBooking>()
  const byId = new Map<string, ObservedBooking>()
  for (const sightings of calls.map(listObservedBookings)) {
    if (sightings.some((sighting, at) => !inOrder(sightings[at - 1], sighting))) {
      return "A list is not sorted by start time and ID."
    }
    for (const sighting of sightings) {
      const { booking, id, identity } = sighting
      const sameName = byName.get(booking) ?? sighting
      if (sameName.identity !== identity) {
        return `${booking} refers to two bookings: ${sameName.identity} and ${identity}.`
      }
      const sameId = byId.get(id) ?? sighting
      if (sameId.booking !== booking) return `${sameId.booking} and ${booking} refer to the same booking, ${id}.`
      byName.set(booking, sighting)
      byId.set(id, sighting)
    }
  }
  return undefined
}

const inOrder = (before: ObservedBooking | undefined, one: ObservedBooking): boolean =>
  before === undefined || before.startsAt < one.startsAt || (before.startsAt === one.startsAt && before.id < one.id)
