import type { ActionView } from "@trailbook/core/proposal/ProposalView"
import { createHash } from "node:crypto"
import type { DashboardContext } from "../Page.ts"
import { momentText } from "../parts/moments.ts"

type Action = typeof ActionView.Type

/** How many are listed before the rest is only counted. */
const mostShown = 6

/** What would be done, or was, one after the other. */
export const ActionList = ({ actions, shown }: {
  readonly shown: DashboardContext
  readonly actions: ReadonlyArray<Action>
}) => {
  if (actions.length === 0) return <p class="soft">For your information. No action is needed.</p>
  const first = actions.slice(0, mostShown)
  const rest = actions.slice(mostShown)
  return (
    <>
      <ol class="steps-done">
        {first.map((action, at) => (
          <One key={at} action={action} shown={shown} isAlike={isAlike(action, first[at - 1])} />
        ))}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary>{`and ${rest.length} more`}</summary>
          <ol class="steps-done">{rest.map((action, at) => <One key={at} action={action} shown={shown} isAlike />)}</ol>
        </details>
      )}
    </>
  )
}

/** Why is said once where one after the other has the same reason. */
const isAlike = ({ facts }: Action, before: Action | undefined): boolean => before?.facts["reason"] === facts["reason"]

const One = ({ action, isAlike, shown }: {
  readonly action: Action
  readonly shown: DashboardContext
  readonly isAlike: boolean
}) => {
  const { facts, result } = action
  const booking = textOf(facts["booking_id"])
  const reason = textOf(facts["reason"])
  return (
    <li>
      <span dir="auto">{done(action, shown)}</span>
      {booking !== undefined && (
        <>
          {" "}
          <a href={shown.site.link(`/dashboard/bookings/${booking}`)}>booking</a>
        </>
      )}
      {result?.ok === true && <span class="tag ok">Done</span>}
      {result?.ok === false && <span class="tag bad">Refused</span>}
      {reason !== undefined && !isAlike && <p class="soft small" dir="auto">{reason}</p>}
      {result?.error !== undefined && <p class="bad small" dir="auto">{result.error}</p>}
    </li>
  )
}

const done = ({ facts, kind, money }: Action, { format }: DashboardContext): string => {
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
      return `Cancel a booking of ${trip}${at}${people}${refund}`
    case "move_booking":
      return `Move a booking of ${trip}${at}${people}${to === "" ? "" : ` to${to.slice(1)}`}`
    case "create_session":
      return `Open a departure of ${trip}${to || at}`
    case "message":
      return `Message the ${guests === 1 ? "guest" : "guests"}${people}`
    case "remind":
      return `Remind a guest of ${trip}${at}${people}`
  }
}

const momentIn = (value: unknown, format: DashboardContext["format"]): string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? `, ${momentText(format, value)}` : ""

const textOf = (value: unknown): string | undefined => typeof value === "string" && value !== "" ? value : undefined

/** The words of the first message or reminder, which somebody may change before they leave. */
export const messageDraft = (actions: ReadonlyArray<Action>) => {
  const letters = actions.filter(({ kind }) => kind === "message" || kind === "remind")
  const [first] = letters
  const body = textOf(first?.facts["body"])
  return first === undefined || body === undefined
    ? undefined
    : { subject: textOf(first.facts["subject"]) ?? "", body, letters: letters.length }
}

/** By what words are known again when they come back in a form. */
export const draftDigest = ({ body, subject }: { readonly subject: string; readonly body: string }): string =>
  createHash("sha256").update(JSON.stringify([subject, body].map((text) => text.replaceAll(/\s+/g, " ").trim())))
    .digest("hex")
