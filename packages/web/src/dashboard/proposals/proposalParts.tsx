/** A proposal's status, data, and actions. The assistant views show them, too. */
import { formatConditions } from "@trailbook/core/automation"
import { getUnits } from "@trailbook/core/org"
import type { ActionView, ProposalView } from "@trailbook/core/proposal"
import type { Format } from "../../text/Format.ts"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

export const ProposalStatus = ({ proposal: { data, decided_at, status } }: {
  readonly proposal: Pick<ProposalView, "data" | "decided_at" | "status">
}) => {
  if (status === "pending" && decided_at !== null) return <span class="tag info">In progress</span>
  if (data["held"] === "cap") return <span class="tag warn">Needs approval: daily limit reached</span>
  if (data["held"] === "money") return <span class="tag warn">Needs approval: refund</span>
  return <span class={`tag ${tones[status]}`}>{statusLabels[status]}</span>
}

const tones = { pending: "warn", done: "ok", failed: "bad", dismissed: "", expired: "", undone: "" } as const

export const statusLabels = {
  pending: "Needs approval",
  done: "Done",
  failed: "Failed",
  dismissed: "Dismissed",
  expired: "Expired",
  undone: "Undone"
} as const

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
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? `, ${format.moment(value)}` : ""

export const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

interface Row {
  readonly [name: string]: unknown
}

/** The data behind a proposal: trips, weather with attribution, and unanswered conversations. */
export const ProposalDetails = ({ data }: { readonly data: Row }) => {
  const { format, org } = usePage()
  const formatTime = (value: unknown) => typeof value === "string" ? format.moment(value) : ""
  const trips = toRows(data["trips"])
  const unanswered = toRows(data["unanswered"])
  const weather = toRows(data["weather"])
  const attributions = [
    ...new Map(
      [...toRows(data["attribution"]), ...weather.flatMap(({ attribution }) => toRows(attribution))]
        .map((source) => [toText(source["url"]), toText(source["text"])])
    )
  ]
  if (trips.length + unanswered.length + weather.length + attributions.length === 0) return null
  return (
    <div class="stack tight">
      {trips.length > 0 && (
        <ul class="bullets">
          {trips.map((trip, nth) => (
            <li key={nth} dir="auto">
              {`${formatTime(trip["starts_at"])}: ${toText(trip["offering"])}, ${
                countText(trip["guests"], "guest")
              } in ${countText(trip["bookings"], "booking")}`}
            </li>
          ))}
        </ul>
      )}
      {weather.map((forecast, nth) => {
        const conditions = formatConditions(forecast, getUnits(org))
        return conditions.length === 0
          ? null
          : <p key={nth} class="small">{`${formatTime(forecast["starts_at"])}: ${conditions.join(", ")}`}</p>
      })}
      {unanswered.length > 0 && (
        <p class="small">
          {`${unanswered.length} unanswered ${unanswered.length === 1 ? "conversation" : "conversations"}: `}
          {unanswered.slice(0, 5).map(({ conversation_id }, nth) => (
            <Link to={`/inbox/${encodeURIComponent(toText(conversation_id))}`} key={nth}>
              {`Conversation ${nth + 1} `}
            </Link>
          ))}
        </p>
      )}
      {attributions.length > 0 && (
        <p class="soft small">
          Data: {attributions.map(([url, name]) =>
            url.startsWith("https://")
              ? <a key={url} href={url} rel="noreferrer">{name}</a>
              : <span key={url}>{name}</span>
          )}
        </p>
      )}
    </div>
  )
}

const toRows = (value: unknown): ReadonlyArray<Row> =>
  Array.isArray(value) ? value.filter((row): row is Row => typeof row === "object" && row !== null) : []

const toText = (value: unknown): string => typeof value === "string" || typeof value === "number" ? String(value) : ""

const countText = (count: unknown, noun: string): string => `${toText(count)} ${noun}${count === 1 ? "" : "s"}`
