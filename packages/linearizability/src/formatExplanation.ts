/**
 * Formats an unexplainable history for human readers: the calls, their times and responses, and the point where no
 * further call can be explained.
 */
import * as Instant from "@trailbook/core/time/Instant"
import type { HistoryCheckResult } from "./checkHistory.ts"
import {
  type BookingObservation,
  type CallResult,
  type ClockChange,
  type History,
  listBookingNames,
  type Offering,
  type Operation,
  type RecordedCall
} from "./History.ts"
import type { ModelState } from "./model.ts"

export const formatExplanation = (history: History, verdict: HistoryCheckResult): string => {
  const { bufferMinutes, kind, places } = history.offering
  const capacity = [...new Set(places.map(({ capacity }) => capacity))].toSorted((a, b) => a - b).join(" or ")
  const buffer = bufferMinutes === 0 ? "" : `, ${bufferMinutes} minutes apart`
  return [
    `No order of these calls explains their responses (${kind}, room for ${capacity}${buffer}):`,
    "",
    ...formatTimeline(history),
    "",
    ...explainVerdict(history, verdict)
  ].join("\n")
}

const explainVerdict = ({ offering }: History, verdict: HistoryCheckResult): ReadonlyArray<string> => {
  if (verdict._tag === "Contradiction") return [verdict.contradiction]
  if (verdict._tag !== "NotLinearizable") return []
  const { order, state, stuck } = verdict.furthest
  return [
    `Longest possible order: ${order.map((call) => formatRequest(offering, call.operation)).join("; ") || "none"}.`,
    `State after this order: ${formatState(offering, state)}.`,
    ...stuck.flatMap(({ call, wanted }) => [
      `Next call: client ${call.client}, ${formatRequest(offering, call.operation)}.`,
      `  expected: ${[...new Set(wanted.map((answer) => formatAnswer(offering, answer)))].join(", or ")}`,
      `  actual:   ${formatAnswer(offering, call.answer)}`
    ])
  ]
}

interface Row {
  readonly tick: number
  readonly label: string
  readonly bar: string
  readonly text: string
}

const formatTimeline = (history: History): ReadonlyArray<string> => {
  const visibleCalls = findVisibleCalls(history)
  const clockChanges = findClockChanges(history, visibleCalls)
  const ticks = [
    ...visibleCalls.flatMap(({ invoked, returned }) => [invoked, returned]),
    ...clockChanges.map(({ tick }) => tick)
  ]
  const columns = [...new Set(ticks)].toSorted((a, b) => a - b)
  const rows = [
    ...visibleCalls.map((call) => toCallRow(history.offering, call, columns)),
    ...clockChanges.map((change) => toClockRow(change, columns))
  ].toSorted((a, b) => a.tick - b.tick)
  const omittedCount = history.calls.length - visibleCalls.length
  const width = Math.max(9, ...rows.map(({ label }) => label.length))
  return [
    ...rows.map(({ bar, label, text }) => `${label.padEnd(width)} ${bar.padEnd(columns.length)} ${text}`),
    ...(omittedCount === 0
      ? []
      : ["", `Omitted: ${omittedCount} calls that got no response and created no visible booking.`])
  ]
}

const toCallRow = (offering: Offering, call: RecordedCall, columns: ReadonlyArray<number>): Row => {
  const from = columns.indexOf(call.invoked)
  const to = call.answer === undefined ? columns.length : columns.indexOf(call.returned)
  return {
    tick: call.invoked,
    label: `client ${call.client}${call.server === undefined ? "" : `@${call.server}`}`,
    bar: `${" ".repeat(from)}├${"─".repeat(to - from - 1)}${call.answer === undefined ? "" : "┤"}`,
    text: `${formatRequest(offering, call.operation)} → ${formatAnswer(offering, call.answer)}`
  }
}

const toClockRow = ({ moment, server, tick }: ClockChange, columns: ReadonlyArray<number>): Row => ({
  tick,
  label: server === undefined ? "clock" : `clock ${server}`,
  bar: `${" ".repeat(columns.indexOf(tick))}│`,
  text: `it is ${formatTime(moment)}`
})

/** Returns the calls to show. A creation without a response is shown only if other calls refer to its booking. */
const findVisibleCalls = ({ calls }: History): ReadonlyArray<RecordedCall> => {
  const answeredCalls = calls.filter(({ answer }) => answer !== undefined)
  const knownNames = new Set(answeredCalls.flatMap(listBookingNames))
  return calls.filter((call) =>
    call.answer !== undefined || (call.operation._tag === "Book" && knownNames.has(call.operation.booking))
  )
}

/** Returns the initial clock settings and all changes up to the last response. */
const findClockChanges = ({ clock }: History, calls: ReadonlyArray<RecordedCall>): ReadonlyArray<ClockChange> => {
  const first = Math.min(...calls.map(({ invoked }) => invoked))
  const last = Math.max(...calls.map(({ returned }) => returned))
  const nextTick = (at: number, server: number | undefined) =>
    clock.find((change, index) => index > at && change.server === server)?.tick ?? Infinity
  return clock.filter(({ server, tick }, at) => tick <= last && nextTick(at, server) > first)
}

/** Formats only the time of day, because a history spans just a few hours of one day. */
const formatTime = (moment: number): string => Instant.format(Instant.make(moment)).slice(11, 16)

const formatPlace = ({ places }: Offering, name: string): string => {
  const place = places.find((place) => place.name === name)
  return place === undefined ? `${name} (not offered)` : formatTime(place.startsAt)
}

const formatRequest = (offering: Offering, operation: Operation): string => {
  switch (operation._tag) {
    case "Book": {
      const { booking, holdMinutes, periods, place, quantity } = operation
      const hold = holdMinutes === undefined ? "" : `, hold ${holdMinutes} min`
      const duration = periods === 1 ? "" : ` for ${periods} periods`
      return `book ${booking}: ${quantity} at ${formatPlace(offering, place)}${duration}${hold}`
    }
    case "Move":
      return `move ${operation.booking} to ${formatPlace(offering, operation.place)}`
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

const formatAnswer = (offering: Offering, answer: CallResult | undefined): string => {
  if (answer === undefined) return "(any response)"
  switch (answer._tag) {
    case "Refused":
      return answer.code
    case "Booking":
      return formatObservation(offering, answer.booking)
    case "Bookings":
      return `[${answer.bookings.map((observation) => formatObservation(offering, observation)).join("; ")}]`
    case "Slots":
      return answer.slots.map(({ place, remaining }) => `${formatPlace(offering, place)} ${remaining}`).join(", ")
  }
}

const formatObservation = (offering: Offering, observation: BookingObservation): string => {
  const { booking, cancelledAt, endsAt, expiresAt, place, previous, quantity, status } = observation
  const since = cancelledAt === null ? "" : ` at ${formatTime(cancelledAt)}`
  const until = expiresAt === null ? "" : ` until ${formatTime(expiresAt)}`
  const from = previous === null ? "" : `, moved from ${formatPlace(offering, previous.place)}`
  return `${booking} ${status}${since}${until}, ${quantity} at ${formatPlace(offering, place)}–${
    formatTime(endsAt)
  }${from}`
}

const formatState = (offering: Offering, state: ModelState): string =>
  [...state.values()].map((booking) => formatObservation(offering, booking)).join("; ") || "nothing"
