/** The content of the email whose link shows a guest all of their messages on a booking page. */
import type { BookingRecord } from "../booking/BookingView.ts"
import { guestName } from "../booking/guestName.ts"
import { linkMinutes } from "../conversation/GuestConversations.ts"
import type { Org } from "../org/Org.ts"
import { greeting } from "./greeting.ts"
import { makeLocalTimeFormat } from "./localTimeFormat.ts"
import type { MailContent } from "./MailContent.ts"
import { toSingleLine } from "./sanitizeHeader.ts"

export const linkMail = (
  record: BookingRecord,
  { name, timezone }: Org,
  url: string
): MailContent => {
  const { booking, offering } = record
  const outfitter = toSingleLine(name)
  return {
    news: "confirmed",
    outfitter,
    subject: `Your messages with ${outfitter}`,
    heading: "See all of your messages",
    greeting: greeting(guestName(record)),
    paragraphs: [
      `With the link below the page of your booking shows all that you and ${outfitter} have written. ` +
      `It works once, within ${linkMinutes} minutes, in the browser that opens it.`
    ],
    rows: [
      { label: "What", value: toSingleLine(offering.name) },
      { label: "When", value: makeLocalTimeFormat(timezone).span(booking) },
      { label: "Reference", value: booking.reference }
    ],
    action: { label: "Show all messages", url },
    further: [],
    closing: [
      "Somebody asked for it on the page of your booking. If that was not you, leave this mail: nothing is shown without it."
    ]
  }
}
