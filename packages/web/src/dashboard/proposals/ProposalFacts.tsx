import { formatConditions } from "@trailbook/core/automation"
import { getUnits } from "@trailbook/core/org"
import { Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"
import { formatMoment } from "../parts/dateTimes.ts"

interface Row {
  readonly [name: string]: unknown
}

/** The data behind a proposal: trips, weather with attribution, and unanswered conversations. */
export const ProposalFacts = ({ data }: { readonly data: Row }) => {
  const { format, org } = usePage()
  const formatTime = (value: unknown) => typeof value === "string" ? formatMoment(format, value) : ""
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
