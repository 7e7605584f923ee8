import type { ActionView } from "@trailbook/core/proposal"
import type { Format } from "../../text/Format.ts"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { formatMoment } from "../parts/dateTimes.ts"

type Action = typeof ActionView.Type

/** The number of actions that a list shows before it collapses the rest. */
const maxShown = 6

/** Planned and executed actions, in order. */
export const ActionList = ({ actions }: { readonly actions: ReadonlyArray<Action> }) => {
  if (actions.length === 0) return <p class="soft">For your information. No action is needed.</p>
  const shownActions = actions.slice(0, maxShown)
  const otherActions = actions.slice(maxShown)
  return (
    <>
      <ol class="steps-done">
        {shownActions.map((action, at) => (
          <ActionItem key={at} action={action} isRepeated={hasSameReason(action, shownActions[at - 1])} />
        ))}
      </ol>
      {otherActions.length > 0 && (
        <details>
          <summary>{`and ${otherActions.length} more`}</summary>
          <ol class="steps-done">
            {otherActions.map((action, at) => <ActionItem key={at} action={action} isRepeated />)}
          </ol>
        </details>
      )}
    </>
  )
}

/** Whether the previous action has the same reason. A repeated reason is not shown again. */
const hasSameReason = ({ facts }: Action, previous: Action | undefined): boolean =>
  previous?.facts["reason"] === facts["reason"]

const ActionItem = ({ action, isRepeated }: { readonly action: Action; readonly isRepeated: boolean }) => {
  const { format } = usePage()
  const { facts, result } = action
  const booking = toNonEmptyText(facts["booking_id"])
  const reason = toNonEmptyText(facts["reason"])
  return (
    <li>
      <span dir="auto">{describeAction(action, format)}</span>
      {booking !== undefined && (
        <>
          {" "}
          <Link to={`/bookings/${booking}`}>booking</Link>
        </>
      )}
      {result?.ok === true && <span class="tag ok">Done</span>}
      {result?.ok === false && <span class="tag bad">Refused</span>}
      {reason !== undefined && !isRepeated && <p class="soft small" dir="auto">{reason}</p>}
      {result?.error !== undefined && <p class="bad small" dir="auto">{result.error}</p>}
    </li>
  )
}

/** Describes an action. `kind` can be any string, because assistant views pass untyped results. */
export const describeAction = (
  { facts, kind, money }: Pick<Action, "facts" | "money"> & { readonly kind: string },
  format: Format
): string => {
  const trip = toNonEmptyText(facts["offering"]) ?? "the trip"
  const at = toMomentText(facts["starts_at"], format)
  const target = toMomentText(facts["to"], format)
  const guests = typeof facts["guests"] === "number" ? facts["guests"] : 0
  const guestsText = guests === 0 ? "" : `, ${guests} ${guests === 1 ? "spot" : "spots"}`
  const cents = typeof facts["refund_cents"] === "number" ? facts["refund_cents"] : 0
  const refundText = money === true ? `, ${format.money(cents)} refunded` : ""
  switch (kind) {
    case "cancel_session":
      return `Cancel the departure ${trip}${at}${guestsText}${refundText}`
    case "cancel_booking":
      return `Cancel a booking for ${trip}${at}${guestsText}${refundText}`
    case "move_booking":
      return `Move a booking for ${trip}${at}${guestsText}${target === "" ? "" : ` to${target.slice(1)}`}`
    case "create_session":
      return `Open a departure for ${trip}${target || at}`
    case "message":
      return `Message the ${guests === 1 ? "guest" : "guests"}${guestsText}`
    case "remind":
      return `Remind a guest of ${trip}${at}${guestsText}`
    default:
      return kind
  }
}

const toMomentText = (value: unknown, format: Format): string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? `, ${formatMoment(format, value)}` : ""

export const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
