import type { ActionView } from "@trailbook/core/proposal"
import type { Format } from "../../text/Format.ts"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { momentText } from "../parts/moments.ts"

type Action = typeof ActionView.Type

/** The number of actions to show. In longer lists, the rest are collapsed. */
const mostShown = 6

/** Planned and executed actions, in order. */
export const ActionList = ({ actions }: { readonly actions: ReadonlyArray<Action> }) => {
  if (actions.length === 0) return <p class="soft">For your information. No action is needed.</p>
  const first = actions.slice(0, mostShown)
  const otherActions = actions.slice(mostShown)
  return (
    <>
      <ol class="steps-done">
        {first.map((action, at) => <One key={at} action={action} isAlike={isAlike(action, first[at - 1])} />)}
      </ol>
      {otherActions.length > 0 && (
        <details>
          <summary>{`and ${otherActions.length} more`}</summary>
          <ol class="steps-done">{otherActions.map((action, at) => <One key={at} action={action} isAlike />)}</ol>
        </details>
      )}
    </>
  )
}

/** Whether the previous action has the same reason. A repeated reason is not shown again. */
const isAlike = ({ facts }: Action, before: Action | undefined): boolean => before?.facts["reason"] === facts["reason"]

const One = ({ action, isAlike }: { readonly action: Action; readonly isAlike: boolean }) => {
  const { format } = usePage()
  const { facts, result } = action
  const booking = readText(facts["booking_id"])
  const reason = readText(facts["reason"])
  return (
    <li>
      <span dir="auto">{actionText(action, format)}</span>
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

/** Describes an action. `kind` can be any string, because assistant views pass untyped results. */
export const actionText = (
  { facts, kind, money }: Pick<Action, "facts" | "money"> & { readonly kind: string },
  format: Format
): string => {
  const trip = readText(facts["offering"]) ?? "the trip"
  const at = momentIn(facts["starts_at"], format)
  const to = momentIn(facts["to"], format)
  const guests = typeof facts["guests"] === "number" ? facts["guests"] : 0
  const people = guests === 0 ? "" : `, ${guests} ${guests === 1 ? "spot" : "spots"}`
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
      return `Open a departure for ${trip}${to || at}`
    case "message":
      return `Message the ${guests === 1 ? "guest" : "guests"}${people}`
    case "remind":
      return `Remind a guest of ${trip}${at}${people}`
    default:
      return kind
  }
}

const momentIn = (value: unknown, format: Format): string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? `, ${momentText(format, value)}` : ""

export const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
