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
    heading: "View all your messages",
    greeting: greeting(guestName(record)),
    paragraphs: [
      `Use the link below to view all your messages with ${outfitter} on your booking page. ` +
      `The link works once and expires in ${linkMinutes} minutes.`
    ],
    rows: [
      { label: "What", value: toSingleLine(offering.name) },
      { label: "When", value: makeLocalTimeFormat(timezone).span(booking) },
      { label: "Reference", value: booking.reference }
    ],
    action: { label: "View all messages", url },
    further: [],
    closing: [
      "This link was requested on your booking page. If you did not request it, ignore this email. Your messages stay private."
    ]
  }
}
