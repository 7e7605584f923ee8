/** Notes that a tool call returns in addition to its data. */
import type { Actor } from "@trailbook/core/actor"
import { bookingsCancel, bookingsCreate, bookingsQuote, closuresCreate } from "@trailbook/core/booking"
import { conversationsGet, messagesDraft } from "@trailbook/core/conversation"
import { offeringsCreate } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import { proposalsApprove, proposalsList } from "@trailbook/core/proposal"
import { sessionsCancel, sessionsCreate, sessionsList, sessionsPlan } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import type { OperationCaller } from "../OperationCaller.ts"
import type { UnknownRecord } from "./compactResult.ts"

/** Returns the next step if a result requires further action. */
export const getNextSteps = (
  { name }: Operation.Any,
  output: UnknownRecord,
  now: Instant.Instant
): ReadonlyArray<string> => {
  const step = Object.hasOwn(steps, name) ? steps[name]?.(output) : undefined
  return [...holdSteps(output, now), ...(step === undefined ? [] : [step])]
}

const steps: Readonly<Record<string, (output: UnknownRecord) => string | undefined>> = {
  [sessionsCancel.name]: () => "To cancel several sessions with one preview, call sessions_cancel_many.",
  [bookingsCancel.name]: () => "bookings_restore can undo this within 24 hours if the spot is still free.",
  [closuresCreate.name]: ({ bookings }) =>
    Number(bookings) > 0
      ? "Existing bookings during the closure are kept. Find them with desk_find to move or cancel them."
      : undefined,
  [bookingsQuote.name]: ({ total_cents }) =>
    `This quote does not book or change anything. To book or change at this price, send expected_total_cents=${
      String(total_cents)
    }.`,
  [conversationsGet.name]: ({ id, needs_reply }) =>
    needs_reply === true
      ? `The last message is from the guest. Reply with messages_send and conversation_id=${String(id)}.`
      : undefined,
  [messagesDraft.name]: () => "This is a draft and was not sent. Show it to the user, then send it with messages_send.",
  [offeringsCreate.name]: ({ kind }) =>
    kind === "class"
      ? "This class cannot be booked yet. Schedule sessions with sessions_create or sessions_plan."
      : undefined,
  [proposalsList.name]: ({ data }) =>
    toRows(data).some(({ status }) => status === "pending")
      ? "Pending proposals have not been executed yet. proposals_approve executes one, and proposals_dismiss " +
        "dismisses one."
      : undefined,
  [proposalsApprove.name]: ({ reversible, status }) =>
    status !== "done"
      ? undefined
      : reversible === true
      ? "proposals_undo can undo this proposal."
      : "The proposal was executed and cannot be undone."
}

/** Returns a note that the hold is not confirmed yet, and how to confirm it. */
const holdSteps = (output: UnknownRecord, now: Instant.Instant): ReadonlyArray<string> => {
  if (output.status === "held") {
    const { checkout_url: url, expires_at: end } = output
    const expiresAt = typeof end === "string" ? Instant.parse(end) : undefined
    if (expiresAt !== undefined && expiresAt <= now) {
      return [
        "This hold expired before it was confirmed. bookings_confirm works only while its spot is still free. " +
        "Otherwise, book again with bookings_create."
      ]
    }
    const paymentHint = typeof url === "string" && url !== "" ? ", or let the guest pay at checkout_url" : ""
    return [
      `This booking is held but not yet confirmed. Before it expires, confirm it with bookings_confirm${paymentHint}.`
    ]
  }
  return toRows(output.data ?? output.bookings).some(({ status }) => status === "held")
    ? ["Bookings with the status held are not confirmed yet. Confirm one with bookings_confirm."]
    : []
}

const toRows = (rows: unknown): ReadonlyArray<UnknownRecord> => Array.isArray(rows) ? rows : []

/**
 * Explains an empty list by naming the filters that were applied, and suggests alternatives. Without an explanation, a
 * model concludes that no data exists.
 */
export const makeEmptyListHint = (
  { name }: Operation.Any,
  input: UnknownRecord,
  answer: UnknownRecord
): ReadonlyArray<string> => {
  const { data, next_before } = answer
  const list = lists[name]
  if (list === undefined || !Array.isArray(data) || data.length > 0) return []
  const usedFilters = Object.entries(input).filter(([field]) => !ways.has(field))
  const filters = usedFilters.map(([field, value]) => `${field}=${JSON.stringify(value)}`).join(", ")
  const sentence = `No ${list.what}${usedFilters.length === 0 ? " at all" : ` with ${filters}`}.`
  if (next_before !== undefined) {
    return [
      `${sentence} Only the newest entries were searched. Call again with before=${
        JSON.stringify(next_before)
      } to search earlier entries.`
    ]
  }
  const end = input.cursor === undefined ? "" : " This was the last page. To start again, omit cursor."
  const suggestion = usedFilters.length === 0 || (usedFilters.length === 1 && "q" in input)
    ? ""
    : ` Try again without ${usedFilters.map(([field]) => field).join(" or ")}.`
  return [`${sentence}${end}${suggestion}${list.else === "" ? "" : ` ${list.else}`}`]
}

/** Input fields that are not filters. */
const ways: ReadonlySet<string> = new Set(["limit", "order", "cursor"])

interface List {
  readonly what: string
  readonly else: string
}

const lists: Readonly<Record<string, List>> = {
  "bookings.list": {
    what: "bookings",
    else: "q matches a reference or a word in the guest's name, email, or phone. customers_get returns all of a " +
      "guest's bookings, including canceled ones."
  },
  "customers.list": {
    what: "guests",
    else: "All words of q must match. Try one word of the name, the beginning of the email address, some " +
      "digits of the phone number, or a booking reference."
  },
  "sessions.list": {
    what: "sessions",
    else: "Only classes have sessions (see kind in offerings_list). For other offerings, use availability_get."
  },
  "offerings.list": { what: "offerings", else: "" },
  "events.list": { what: "events", else: "New events appear with a delay of 2 seconds." },
  "webhooks.list": { what: "webhooks", else: "" },
  "offerings.get_hours": { what: "weekly hours", else: "For classes, use sessions_list." }
}

/**
 * Warns about new sessions in the past or at the same time as another session of the class. Such sessions are allowed,
 * but the assistant usually creates them by mistake. `sessions.plan` skips such start times.
 */
export const findSessionWarnings = (call: OperationCaller) =>
(
  actor: Actor["Type"],
  { name }: Operation.Any,
  output: UnknownRecord,
  now: Instant.Instant
): Effect.Effect<ReadonlyArray<string>> => {
  // The casts are safe, because the registry returns the operation's output.
  if (name === sessionsPlan.name) {
    return Effect.succeed(planWarnings(output as (typeof sessionsPlan)["output"]["Type"]))
  }
  if (name !== sessionsCreate.name) return Effect.succeed([])
  const { data } = output as (typeof sessionsCreate)["output"]["Type"]
  const [first] = data
  const last = data.at(-1)
  if (first === undefined || last === undefined) return Effect.succeed([])
  return call(actor, sessionsList, {
    offering_id: first.offering_id,
    status: "scheduled",
    from: first.starts_at,
    to: Instant.format(Instant.addMinutes(Instant.parse(last.starts_at) ?? Instant.min, 1)),
    limit: 500
  }).pipe(
    Effect.map(({ data: sessions }) => {
      const newIds = new Set(data.map(({ id }) => id))
      const takenStarts = new Set(sessions.filter(({ id }) => !newIds.has(id)).map(({ starts_at }) => starts_at))
      const duplicates = data.filter(({ starts_at }) => takenStarts.has(starts_at))
      const pastSessions = data.filter(({ starts_at }) => starts_at < Instant.format(now))
      const undo = (target: string) => `If this was not intended, cancel ${target} with sessions_cancel.`
      return [
        ...(pastSessions.length === 0
          ? []
          : [
            `Warning: ${pastSessions.length} of ${data.length} sessions start in the past. ${undo("those sessions")}`
          ]),
        ...(duplicates.length === 0 ? [] : [
          `Warning: this class already had a session at ${duplicates.length} of ${data.length} starts. ${
            undo("the duplicates")
          }`
        ])
      ]
    }),
    // The sessions have already been created, so the result must be returned even if this read fails.
    Effect.catchAllCause(() => Effect.succeed([]))
  )
}

const planWarnings = ({ existing, past, sessions }: (typeof sessionsPlan)["output"]["Type"]): ReadonlyArray<string> => [
  ...(past === 0 ? [] : [`Warning: ${past} of ${sessions.length} starts are skipped because they are in the past.`]),
  ...(existing === 0
    ? []
    : [`Warning: ${existing} of ${sessions.length} starts are skipped because they already have a session.`])
]

/**
 * Returns a note if a create operation returned an existing resource. The assistant may have meant to create a second
 * resource, and must not mistake the existing one for a new one.
 */
export const listExistingResourceNotes = (
  operation: Operation.Any,
  output: UnknownRecord,
  startedAt: Instant.Instant,
  input: UnknownRecord
): ReadonlyArray<string> => {
  const { hints } = operation
  // If a request creates several resources, they all have the same creation time.
  const [first = output] = Array.isArray(output.data) ? output.data : []
  const createdAt = instantIn(first, "created_at")
  if (hints.idempotencyKey === undefined || createdAt === undefined || createdAt >= startedAt) return []
  const now = `in its current state${statusText(output, startedAt)}`
  const explanation = isBookingWithoutKey(operation, input)
    ? `this is the guest's earlier booking with this start and quantity, ${now}. If a detail differs, change it with ` +
      "bookings_update."
    : `this is the result of an earlier call with the same request, ${now}.`
  return [`Nothing new was created: ${explanation} To create another, call again with a new ${hints.idempotencyKey}.`]
}

/**
 * Whether a booking was requested without a key. Such a request can be a retry that lost its key, or a second booking.
 */
export const isBookingWithoutKey = ({ name }: Operation.Any, input: UnknownRecord): boolean =>
  name === bookingsCreate.name && input.idempotency_key === undefined

const statusText = (output: UnknownRecord, now: Instant.Instant): string => {
  if (output.status === "cancelled") return ", cancelled"
  const expiresAt = instantIn(output, "expires_at")
  return expiresAt !== undefined && expiresAt <= now ? ", an expired hold that no longer reserves a spot" : ""
}

const instantIn = (output: UnknownRecord, name: string): Instant.Instant | undefined => {
  const value = output[name]
  return typeof value === "string" ? Instant.parse(value) : undefined
}
