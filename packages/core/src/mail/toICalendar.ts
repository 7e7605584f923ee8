/**
 * Renders bookings as an iCalendar object with one event per booking. An event replaces the existing event in the
 * guest's calendar (RFC 5545, RFC 5546).
 *
 * - `UID` is the booking's ID, which is the same in every message.
 * - `SEQUENCE` is the number of seconds from the booking's creation to the message's time `at`. It needs no stored
 *   counter and cannot decrease. A message describes the booking as of `at` or later, so a message that does not
 *   reflect a change always has an earlier `at` than the message about that change.
 * - Times are in UTC. Calendars show them in the guest's zone, so no VTIMEZONE is needed.
 * - The event has no `ORGANIZER`, although RFC 5546 requires one. With an organizer, Outlook treats the event as an
 *   invitation and offers to accept it.
 * - Calendars use `GEO` for navigation. Some calendars do not support `GEO`, so the map is also in the description.
 */
import type { Booking, BookingStatus } from "../booking/Booking.ts"
import type { BookingRecord } from "../booking/BookingView.ts"
import { formatQuantity } from "../offering/formatQuantity.ts"
import type { Org } from "../org/Org.ts"
import * as Instant from "../time/Instant.ts"
import type { Mail } from "./Mailer.ts"
import { getMapUrl, type MeetingPoint } from "./MeetingPoint.ts"
import { toSingleLine } from "./toSingleLine.ts"

export const toICalendar = (
  records: readonly [BookingRecord, ...ReadonlyArray<BookingRecord>],
  meetingPoint: MeetingPoint | undefined,
  org: Org,
  toPageUrl: (booking: Booking) => string,
  at: Instant.Instant
): NonNullable<Mail["calendar"]> => {
  const method = records[0].booking.status === "cancelled" ? "CANCEL" : "PUBLISH"
  const ics = [
    formatContentLine("BEGIN", "VCALENDAR"),
    formatContentLine("VERSION", "2.0"),
    formatContentLine("PRODID", "-//Trailbook//Trailbook//EN"),
    formatContentLine("CALSCALE", "GREGORIAN"),
    formatContentLine("METHOD", method),
    ...records.map((record) => renderEvent(record, meetingPoint, org, toPageUrl, at)),
    formatContentLine("END", "VCALENDAR")
  ].join("")
  return { method, ics }
}

const renderEvent = (
  { booking, offering }: BookingRecord,
  meetingPoint: MeetingPoint | undefined,
  org: Org,
  toPageUrl: (booking: Booking) => string,
  at: Instant.Instant
): string => {
  const pageUrl = toPageUrl(booking)
  const title = `${toSingleLine(offering.name)}, ${toSingleLine(org.name)}`
  const mapLink = getMapUrl(meetingPoint)
  const description = [
    formatQuantity(offering.kind, booking.quantity),
    `Reference ${booking.reference}`,
    pageUrl,
    ...(mapLink === undefined ? [] : [`Where to meet: ${mapLink}`])
  ].join("\n")
  return [
    formatContentLine("BEGIN", "VEVENT"),
    formatContentLine("UID", booking.id),
    formatContentLine("SEQUENCE", `${Math.max(0, Math.floor((at - booking.createdAt) / 1000))}`),
    formatContentLine("DTSTAMP", formatUtc(at)),
    formatContentLine("DTSTART", formatUtc(booking.startsAt)),
    formatContentLine("DTEND", formatUtc(booking.endsAt)),
    formatContentLine("STATUS", statuses[booking.status]),
    formatContentLine("SUMMARY", escapeTextValue(title)),
    formatContentLine("DESCRIPTION", escapeTextValue(description)),
    ...(meetingPoint === undefined ? [] : [formatContentLine("LOCATION", escapeTextValue(meetingPoint.words))]),
    ...(meetingPoint?.position === undefined
      ? []
      : [formatContentLine("GEO", `${meetingPoint.position.lat};${meetingPoint.position.lon}`)]),
    formatContentLine("URL", pageUrl),
    formatContentLine("END", "VEVENT")
  ].join("")
}

const statuses: Record<BookingStatus, string> = { held: "TENTATIVE", confirmed: "CONFIRMED", cancelled: "CANCELLED" }

/** Formats an instant like `20260606T150000Z`, without milliseconds, which iCalendar does not support. */
const formatUtc = (instant: Instant.Instant): string => Instant.format(instant).replace(/\.\d+|[:-]/g, "")

/**
 * Formats a line in an iCalendar object (RFC 5545 §3.1): folded at 75 octets, but never inside a character, and ending
 * with CRLF.
 */
export const formatContentLine = (name: string, value: string): string => {
  let folded = ""
  let octets = 0
  for (const character of `${name}:${value}`) {
    const size = countOctets(character)
    if (octets + size > 75) {
      folded += "\r\n "
      octets = 1
    }
    folded += character
    octets += size
  }
  return `${folded}\r\n`
}

/** Escapes a value of type TEXT (RFC 5545 §3.3.11). */
export const escapeTextValue = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n")

/** Returns the number of octets in UTF-8, the encoding of iCalendar. */
const countOctets = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
