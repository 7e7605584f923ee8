/** Returns the next step if a result requires further action. */
import { bookingsCancel, bookingsQuote, closuresCreate } from "@trailbook/core/booking"
import { conversationsGet, messagesDraft } from "@trailbook/core/conversation"
import { offeringsCreate } from "@trailbook/core/offering"
import type { Operation } from "@trailbook/core/operation/Operation"
import { proposalsApprove, proposalsList } from "@trailbook/core/proposal"
import { sessionsCancel } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import type { Data } from "./compactResult.ts"

export const nextSteps = ({ name }: Operation.Any, answer: Data, now: Instant.Instant): ReadonlyArray<string> => {
  const step = Object.hasOwn(steps, name) ? steps[name]?.(answer) : undefined
  return [...holdSteps(answer, now), ...(step === undefined ? [] : [step])]
}

const steps: Readonly<Record<string, (answer: Data) => string | undefined>> = {
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
    rowsOf(data).some(({ status }) => status === "pending")
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

/** Returns a note that the hold is not confirmed yet, with instructions for confirming it. */
const holdSteps = (answer: Data, now: Instant.Instant): ReadonlyArray<string> => {
  if (answer.status === "held") {
    const { checkout_url: url, expires_at: end } = answer
    const expiresAt = typeof end === "string" ? Instant.parse(end) : undefined
    if (expiresAt !== undefined && expiresAt <= now) {
      return [
        "This hold expired before it was confirmed. bookings_confirm works only while its spot is still free. " +
        "Otherwise, book again with bookings_create."
      ]
    }
    const pays = typeof url === "string" && url !== "" ? ", or let the guest pay at checkout_url" : ""
    return [`This booking is held but not yet confirmed. Before it expires, confirm it with bookings_confirm${pays}.`]
  }
  return rowsOf(answer.data ?? answer.bookings).some(({ status }) => status === "held")
    ? ["Bookings with the status held are not confirmed yet. Confirm one with bookings_confirm."]
    : []
}

const rowsOf = (rows: unknown): ReadonlyArray<Data> => Array.isArray(rows) ? rows : []
