/**
 * Formats an unexplainable history for people: the calls, their times and responses, and the point at which no further
 * call can be explained.
 */
import * as Instant from "@trailbook/core/time/Instant"
import type { Verdict } from "./check.ts"
import { seenBy } from "./contradiction.ts"
import type { Answer, Call, ClockSet, History, Observation, Offering, Operation } from "./History.ts"
import type { State } from "./model.ts"

export const explain = (history: History, verdict: Verdict): string => {
  const { bufferMinutes, kind, places } = history.offering
  const capacity = [...new Set(places.map(({ capacity }) => capacity))].toSorted((a, b) => a - b).join(" or ")
  const buffer = bufferMinutes === 0 ? "" : `, ${bufferMinutes} minutes apart`
  return [
    `No order of these calls explains their responses (${kind}, room for ${capacity}${buffer}):`,
    "",
    ...timeline(history),
    "",
    ...reasons(history, verdict)
  ].join("\n")
}

const reasons = ({ offering }: History, verdict: Verdict): ReadonlyArray<string> => {
  if (verdict._tag === "Contradiction") return [verdict.contradiction.title]
  if (verdict._tag !== "NotLinearizable") return []
  const { order, state, stuck } = verdict.furthest
  return [
    `Longest possible order: ${order.map((call) => requestText(offering, call.operation)).join("; ") || "none"}.`,
    `State after this order: ${stateText(offering, state)}.`,
    ...stuck.flatMap(({ call, wanted }) => [
      `Next call: client ${call.client}, ${requestText(offering, call.operation)}.`,
      `  expected: ${[...new Set(wanted.map((answer) => answerText(offering, answer)))].join(", or ")}`,
      `  actual:   ${answerText(offering, call.answer)}`
    ])
  ]
}

interface Row {
  readonly tick: number
  readonly who: string
  readonly bar: string
  readonly what: string
}

const timeline = (history: History): ReadonlyArray<string> => {
  const visibleCalls = shownOf(history)
  const sets = setsDuring(history, visibleCalls)
  const ticks = [
    ...visibleCalls.flatMap(({ invoked, returned }) => [invoked, returned]),
    ...sets.map(({ tick }) => tick)
  ]
  const columns = [...new Set(ticks)].toSorted((a, b) => a - b)
  const rows = [
    ...visibleCalls.map((call) => callRow(history.offering, call, columns)),
    ...sets.map((set) => clockRow(set, columns))
  ].toSorted((a, b) => a.tick - b.tick)
  const omittedCount = history.calls.length - visibleCalls.length
  const width = Math.max(9, ...rows.map(({ who }) => who.length))
  return [
    ...rows.map(({ bar, what, who }) => `${who.padEnd(width)} ${bar.padEnd(columns.length)} ${what}`),
    ...(omittedCount === 0
      ? []
      : ["", `Omitted: ${omittedCount} calls that got no response and created no visible booking.`])
  ]
}

const callRow = (offering: Offering, call: Call, columns: ReadonlyArray<number>): Row => {
  const from = columns.indexOf(call.invoked)
  const to = call.answer === undefined ? columns.length : columns.indexOf(call.returned)
  return {
    tick: call.invoked,
    who: `client ${call.client}${call.server === undefined ? "" : `@${call.server}`}`,
    bar: `${" ".repeat(from)}├${"─".repeat(to - from - 1)}${call.answer === undefined ? "" : "┤"}`,
    what: `${requestText(offering, call.operation)} → ${answerText(offering, call.answer)}`
  }
}

const clockRow = ({ moment, server, tick }: ClockSet, columns: ReadonlyArray<number>): Row => ({
  tick,
  who: server === undefined ? "clock" : `clock ${server}`,
  bar: `${" ".repeat(columns.indexOf(tick))}│`,
  what: `it is ${time(moment)}`
})

/** Returns the calls to show. A creation without a response is shown only if other calls refer to its booking. */
const shownOf = ({ calls }: History): ReadonlyArray<Call> => {
  const answers = calls.filter(({ answer }) => answer !== undefined)
  const knownNames = new Set(
    answers.flatMap((call) => [...namedBy(call), ...seenBy(call).map(({ booking }) => booking)])
  )
  return calls.filter((call) =>
    call.answer !== undefined || (call.operation._tag === "Book" && knownNames.has(call.operation.booking))
  )
}

/** Returns the initial clock settings and all changes up to the last response. */
const setsDuring = ({ clock }: History, calls: ReadonlyArray<Call>): ReadonlyArray<ClockSet> => {
  const first = Math.min(...calls.map(({ invoked }) => invoked))
  const last = Math.max(...calls.map(({ returned }) => returned))
  const nextTick = (at: number, server: number | undefined) =>
    clock.find((change, after) => after > at && change.server === server)?.tick ?? Infinity
  return clock.filter(({ server, tick }, at) => tick <= last && nextTick(at, server) > first)
}

const namedBy = ({ operation }: Call): ReadonlyArray<string> => "booking" in operation ? [operation.booking] : []

/** Formats the time only, because a history spans just a few hours of one day. */
const time = (moment: number): string => Instant.format(Instant.make(moment)).slice(11, 16)

const placeText = ({ places }: Offering, name: string): string => {
  const place = places.find((place) => place.name === name)
  return place === undefined ? `${name} (not offered)` : time(place.startsAt)
}

const requestText = (offering: Offering, operation: Operation): string => {
  switch (operation._tag) {
    case "Book": {
      const { booking, holdMinutes, periods, place, quantity } = operation
      const hold = holdMinutes === undefined ? "" : `, hold ${holdMinutes} min`
      const long = periods === 1 ? "" : ` for ${periods} periods`
      return `book ${booking}: ${quantity} at ${placeText(offering, place)}${long}${hold}`
    }
    case "Move":
      return `move ${operation.booking} to ${placeText(offering, operation.place)}`
    case "Confirm":
    case "Cancel":
    case "Get":
      return `${operation._tag.toLowerCase()} ${operation.booking}`
    case "List":
      return operation.status === undefined ? "list" : `list ${operation.status}`
    case "Availability":
      return "availability"
  }
}

const answerText = (offering: Offering, answer: Answer | undefined): string => {
  if (answer === undefined) return "(any response)"
  switch (answer._tag) {
    case "Refused":
      return answer.code
    case "Booking":
      return observationText(offering, answer.booking)
    case "Bookings":
      return `[${answer.bookings.map((observation) => observationText(offering, observation)).join("; ")}]`
    case "Slots":
      return answer.slots.map(({ place, remaining }) => `${placeText(offering, place)} ${remaining}`).join(", ")
  }
}

const observationText = (offering: Offering, observation: Observation): string => {
  const { booking, cancelledAt, endsAt, expiresAt, place, previous, quantity, status } = observation
  const since = cancelledAt === null ? "" : ` at ${time(cancelledAt)}`
  const until = expiresAt === null ? "" : ` until ${time(expiresAt)}`
  const from = previous === null ? "" : `, moved from ${placeText(offering, previous.place)}`
  return `${booking} ${status}${since}${until}, ${quantity} at ${placeText(offering, place)}–${time(endsAt)}${from}`
}

const stateText = (offering: Offering, state: State): string =>
  [...state.values()].map((booking) => observationText(offering, booking)).join("; ") || "nothing"
