import type { BookingSummary, MessageView, ThreadRow } from "@trailbook/core/conversation"
import type { dashboardThread } from "@trailbook/core/operation"
import type { Operation } from "@trailbook/core/operation/Operation"
import { isDisplayableImage } from "../../ui/href.ts"
import { Icon, Link } from "../kit/elements.tsx"
import { usePage } from "../Page.ts"

export type ThreadView = Operation.Output<typeof dashboardThread>

type MailView = ThreadView["mails"][number]

/** A message, a note, or a booking event. */
export const ThreadEntry = ({ row, thread }: { readonly thread: ThreadView; readonly row: ThreadRow }) => {
  const { format } = usePage()
  const { booking, event, message } = row
  if (booking !== undefined && event !== undefined) {
    return (
      <li class="happened soft small">
        <Link to={`/bookings/${booking.id}`} dir="auto">{eventText(event, booking)}</Link> ·{" "}
        <time dateTime={row.at}>{format.moment(row.at)}</time>
      </li>
    )
  }
  return message === undefined
    ? null
    : <MessageBubble message={message} mail={thread.mails.find(({ id }) => id === message.id)} />
}

const eventText = (event: NonNullable<ThreadRow["event"]>, { offering, quantity, reference }: BookingSummary): string =>
  `${verbs[event]} ${offering.name}, ${quantity} ${quantity === 1 ? "spot" : "spots"}, ${reference}`

const verbs = {
  "booking.held": "Held",
  "booking.confirmed": "Booked",
  "booking.moved": "Moved",
  "booking.updated": "Changed",
  "booking.cancelled": "Canceled",
  "booking.checked_in": "Checked in",
  "booking.no_show": "Marked as no-show:",
  "booking.attendance_cleared": "Cleared attendance for"
} as const

const MessageBubble = ({ mail, message }: {
  readonly message: MessageView
  readonly mail: MailView | undefined
}) => {
  const { format, site } = usePage()
  const { attachments, body, created_at, subject } = message
  const bubbleClass = message.kind === "note" ? "note" : message.direction === "to_guest" ? "out" : "in"
  return (
    <li class={`bubble ${bubbleClass}`}>
      {subject !== "" && <b dir="auto">{subject}</b>}
      <p class="words" dir="auto">{body}</p>
      {attachments.length > 0 && (
        <ul class="files">
          {attachments.map((file) => (
            <li key={file.id}>
              <Link to={`/files/${file.id}`}>
                {isDisplayableImage(file.type)
                  ? <img src={site.link(`/dashboard/files/${file.id}`)} alt={file.name} loading="lazy" />
                  : (
                    <>
                      <Icon name="paperclip" />
                      <span dir="auto">{file.name}</span>
                    </>
                  )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {mail !== undefined && mail.cut !== "" && (
        <details>
          <summary class="soft small">Quoted text</summary>
          <p class="words soft small" dir="auto">{mail.cut}</p>
        </details>
      )}
      <p class="soft small">
        {writerName(message)} · <time dateTime={created_at}>{format.moment(created_at)}</time>
        <DeliveryStatus message={message} mail={mail} />
      </p>
    </li>
  )
}

const writerName = ({ channel, direction, from_name, kind, sent_by }: MessageView): string => {
  if (direction === "to_outfitter") return from_name === null || from_name === "" ? "Guest" : from_name
  if (kind === "note") return sent_by === "dashboard" ? "Note (visible only to your team)" : "Note from an API client"
  if (channel === "system") return "Sent automatically"
  return writerNames[sent_by]
}

const writerNames = {
  dashboard: "Your team",
  api: "Your team, through the API",
  mcp: "Your assistant",
  guest: "Guest",
  agent: "Ops agent"
} as const

/** The delivery status of an email to a guest. */
const DeliveryStatus = ({ mail, message }: { readonly message: MessageView; readonly mail: MailView | undefined }) => {
  const { delivered_at, direction, failed_at, kind, read_at } = message
  if (direction !== "to_guest" || kind === "note") return null
  if (failed_at !== null) {
    return (
      <span class="bad">
        {" · not delivered: "}
        <span dir="auto">{mail?.failure || "no reason given"}</span>
      </span>
    )
  }
  return <>{read_at !== null ? " · read" : delivered_at !== null ? " · delivered" : " · sending"}</>
}
