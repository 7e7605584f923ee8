import type { ActionView } from "@trailbook/core/proposal/ProposalView"
import { createHash } from "node:crypto"
import type { Format } from "../../text/Format.ts"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { momentText } from "../parts/moments.ts"

type Action = typeof ActionView.Type

/** The number of actions that are shown. Longer lists collapse the others. */
const mostShown = 6

/** Planned and executed actions, in order. */
export const ActionList = ({ actions }: { readonly actions: ReadonlyArray<Action> }) => {
  if (actions.length === 0) return <p class="soft">For your information. No action is needed.</p>
  const first = actions.slice(0, mostShown)
  const rest = actions.slice(mostShown)
  return (
    <>
      <ol class="steps-done">
        {first.map((action, at) => <One key={at} action={action} isAlike={isAlike(action, first[at - 1])} />)}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary>{`and ${rest.length} more`}</summary>
          <ol class="steps-done">{rest.map((action, at) => <One key={at} action={action} isAlike />)}</ol>
        </details>
      )}
    </>
  )
}

/** Returns whether the previous action has the same reason, which is then not repeated. */
const isAlike = ({ facts }: Action, before: Action | undefined): boolean => before?.facts["reason"] === facts["reason"]

const One = ({ action, isAlike }: { readonly action: Action; readonly isAlike: boolean }) => {
  const { format } = usePage()
  const { facts, result } = action
  const booking = textOf(facts["booking_id"])
  const reason = textOf(facts["reason"])
  return (
    <li>
      <span dir="auto">{done(action, format)}</span>
      {booking !== undefined && (
        <>
          {" "}
          <Link to={`/bookings/${booking}`}>booking</Link>
        </>
      )}
      {result?.ok === true && <span class="tag ok">Done</span>}
      {result?.ok === false && <span class="tag bad">Refused</span>}
      {reason !== undefined && !isAlike && <p class="soft small" dir="auto">{reason}</p>}
      {result?.error !== undefined && <p class="bad small" dir="auto">{result.error}</p>}
    </li>
  )
}

const done = ({ facts, kind, money }: Action, format: Format): string => {
  const trip = textOf(facts["offering"]) ?? "the trip"
  const at = momentIn(facts["starts_at"], format)
  const to = momentIn(facts["to"], format)
  const guests = typeof facts["guests"] === "number" ? facts["guests"] : 0
  const people = guests === 0 ? "" : `, ${guests} ${guests === 1 ? "place" : "places"}`
  const cents = typeof facts["refund_cents"] === "number" ? facts["refund_cents"] : 0
  const refund = money === true ? `, ${format.money(cents)} refunded` : ""
  switch (kind) {
    case "cancel_session":
      return `Cancel the departure ${trip}${at}${people}${refund}`
    case "cancel_booking":
      return `Cancel a booking for ${trip}${at}${people}${refund}`
    case "move_booking":
      return `Move a booking for ${trip}${at}${people}${to === "" ? "" : ` to${to.slice(1)}`}`
    case "create_session":
      return `Open a departure of ${trip}${to || at}`
    case "message":
      return `Message the ${guests === 1 ? "guest" : "guests"}${people}`
    case "remind":
      return `Remind a guest of ${trip}${at}${people}`
  }
}

const momentIn = (value: unknown, format: Format): string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? `, ${momentText(format, value)}` : ""

const textOf = (value: unknown): string | undefined => typeof value === "string" && value !== "" ? value : undefined

/** Returns the editable text of the first message or reminder. */
export const messageDraft = (actions: ReadonlyArray<Action>) => {
  const letters = actions.filter(({ kind }) => kind === "message" || kind === "remind")
  const [first] = letters
  const body = textOf(first?.facts["body"])
  return first === undefined || body === undefined
    ? undefined
    : { subject: textOf(first.facts["subject"]) ?? "", body, letters: letters.length }
}

/** Returns a digest that shows on submission whether the text was edited. */
export const draftDigest = ({ body, subject }: { readonly subject: string; readonly body: string }): string =>
  createHash("sha256").update(JSON.stringify([subject, body].map((text) => text.replaceAll(/\s+/g, " ").trim())))
    .digest("hex")
