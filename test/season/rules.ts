/** The rules for every season that the ops agent runs in. Each rule returns one sentence per violation. */
import { BookingStore } from "@trailbook/core/booking"
import { MessageStore } from "@trailbook/core/conversation"
import { riverLimitNames } from "@trailbook/core/forecast"
import type { ProposalView } from "@trailbook/core/proposal"
import { SessionStore } from "@trailbook/core/session"
import * as Effect from "effect/Effect"
import type { Season } from "./season.ts"

const dayMs = 24 * 60 * 60_000

/** Uses `Intl` directly, so that the check does not depend on the time zone code under test. */
const hourIn = new Intl.DateTimeFormat("en-US", { timeZone: "America/Denver", hour: "numeric", hourCycle: "h23" })
const isNight = (at: string | number): boolean => {
  const hour = Number(hourIn.format(new Date(at)))
  return hour >= 21 || hour < 7
}

const isOwn = ({ decided_by }: ProposalView): boolean => decided_by === "agent"
const isVisible = ({ actions }: ProposalView): boolean =>
  actions.some(({ kind, result }) => kind !== "create_session" && result?.ok === true)
const findDuplicates = (all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.filter((one, at) => all.indexOf(one) !== at)

/** At most one proposal per automation, subject, and day. */
const findDuplicateProposals = ({ proposals }: Season) =>
  findDuplicates(
    proposals.map(({ automation, booking_id, data, day, session_id, title }) =>
      [automation, day, session_id ?? booking_id ?? (automation === "brief" ? "" : title), data.reminder].join(" ")
    )
  ).map((key) => `duplicate proposal: ${key}`)

const checkReminders = ({ proposals }: Season) =>
  findDuplicates(
    proposals.flatMap(({ actions, automation, data }) =>
      automation !== "reminders" ?
        [] :
        actions.flatMap(({ facts, result }) =>
          result?.ok === true ? [`${String(data.reminder)} ${String(facts.booking_id)}`] : []
        )
    )
  ).map((key) => `a guest was reminded twice: ${key}`)

const sendWindows = { before_24h: [-24, -12], before_2h: [-2, -0.5], after_6h: [6, 24] } as const

/** Reminders are sent within their time window, even after the server has been off for days. */
const checkTimes = ({ proposals }: Season) =>
  proposals.flatMap(({ actions, data, done_at, id }) => {
    const kind = Object.keys(sendWindows).find((kind): kind is keyof typeof sendWindows => kind === data.reminder)
    if (kind === undefined || kind === "after_6h" || done_at === null) return []
    const [from, until] = sendWindows[kind]
    return actions.flatMap(({ facts, result }) => {
      const hours = (Date.parse(done_at) - Date.parse(String(facts.starts_at))) / 3_600_000
      return result?.ok !== true || (hours >= from && hours < until)
        ? []
        : [`${kind} of ${id} was sent ${hours} hours from the start`]
    })
  })

const checkQuietHours = ({ proposals }: Season) =>
  proposals.flatMap((proposal) =>
    isOwn(proposal) && isVisible(proposal) && isNight(proposal.done_at ?? 0)
      ? [`${proposal.title} was done at night: ${String(proposal.done_at)}`]
      : []
  )

const checkCaps = ({ cap, proposals }: Season) => {
  const moments = proposals.filter(isOwn).map(({ decided_at }) => Date.parse(decided_at ?? "")).sort((a, b) => a - b)
  return moments.flatMap((at) => {
    const count = moments.filter((other) => other > at - dayMs && other <= at).length
    return count > cap
      ? [`${count} proposals ran automatically in the 24 hours before ${new Date(at).toISOString()}, at most ${cap}`]
      : []
  })
}

const checkMoney = ({ ceiling, proposals }: Season) =>
  proposals.filter((proposal) => isOwn(proposal) && proposal.money && isVisible(proposal)).flatMap(
    ({ actions, title }) => {
      const cents = actions.reduce(
        (sum, { facts, money }) => sum + (money === true ? Number(facts.refund_cents) : 0),
        0
      )
      return ceiling === null || cents > ceiling ? [`${title} refunded ${cents} cents automatically`] : []
    }
  )

const isRiver = (limit: string): boolean => riverLimitNames.some((name) => name === limit)

/** The weather automation proposes nothing if the data for the exceeded limit was missing or stale. */
const checkWeather = ({ proposals, signals }: Season) =>
  proposals.filter(({ automation }) => automation === "weather").flatMap(({ created_at, data, title }) => {
    const signal = signals.get(created_at)
    if (signal === undefined) return [`${title} was proposed outside a run of the agent`]
    return (data.broken as ReadonlyArray<{ readonly limit: string }>).flatMap(({ limit }) =>
      (isRiver(limit) ? signal.river !== "now" : signal.quality === "old" || signal.quality === "none") ||
        (limit === "min_temp_c" && signal.quality === "holes")
        ? [`${title}: the data for ${limit} was missing`]
        : []
    )
  })

/** The agent sends a message at night only if a person approved it at that time. */
const checkMessages = (season: Season) =>
  Effect.gen(function*() {
    const { list } = yield* MessageStore
    const all = yield* list({
      orgId: season.orgId,
      conversationId: undefined,
      bookingId: undefined,
      customerId: undefined,
      after: undefined,
      limit: Number.MAX_SAFE_INTEGER
    })
    const approvalTimes = new Set(season.proposals.flatMap((one) => isOwn(one) ? [] : [Date.parse(one.done_at ?? "")]))
    return all.flatMap(({ createdAt, sentBy }) =>
      sentBy === "agent" && isNight(createdAt) && !approvalTimes.has(createdAt)
        ? [`a message was sent at night: ${createdAt}`]
        : []
    )
  })

/** Canceled sessions and undone new sessions are closed and have no confirmed bookings. */
const checkSessions = (season: Season) =>
  Effect.gen(function*() {
    const { lock } = yield* SessionStore
    const bookings = yield* BookingStore
    const affected = season.proposals.flatMap(({ actions, status }) =>
      actions.flatMap(({ facts, kind, result, undo }) =>
        status === "undone"
          ? [String(undo?.input.id)]
          : kind === "cancel_session" && result?.ok === true
          ? [String(facts.session_id)]
          : []
      )
    )
    const overSessions = yield* lock(affected.map((id) => ({ orgId: season.orgId, id })))
    const confirmedRows = yield* bookings.list({
      orgId: season.orgId,
      from: undefined,
      to: undefined,
      status: "confirmed",
      offeringId: undefined,
      customerId: undefined,
      sessionId: undefined,
      order: "asc",
      after: undefined,
      limit: Number.MAX_SAFE_INTEGER
    })
    return [
      ...overSessions.filter(({ status }) => status !== "cancelled").map(({ id }) =>
        `session ${id} is still scheduled although it was canceled`
      ),
      ...confirmedRows.filter(({ booking }) => booking.sessionId !== null && affected.includes(booking.sessionId))
        .map(({ booking }) => `booking ${booking.id} is confirmed in a canceled session`)
    ]
  })

/** No proposal stays pending for more than 4 days after its expiry, because the server is off for at most 3 days. */
const checkOverdue = ({ now, proposals }: Season) =>
  proposals.flatMap(({ expires_at, status, title }) =>
    status === "pending" && Date.parse(expires_at ?? "") < now - 4 * dayMs ? [`${title} is still pending`] : []
  )

export const brokenIn = (season: Season) =>
  Effect.map(Effect.all([checkMessages(season), checkSessions(season)]), (findings) => [
    ...season.broken,
    ...[
      findDuplicateProposals,
      checkReminders,
      checkTimes,
      checkQuietHours,
      checkCaps,
      checkMoney,
      checkWeather,
      checkOverdue
    ].flatMap((rule) => rule(season)),
    ...findings.flat()
  ])
