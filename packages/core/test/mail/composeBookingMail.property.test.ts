import type { Booking } from "@trailbook/core/booking/Booking"
import { toMeetingPoint } from "@trailbook/core/mail/MeetingPoint"
import { composeBookingMail } from "@trailbook/core/mail/renderBookingMail"
import { toSingleLine } from "@trailbook/core/mail/toSingleLine"
import * as Instant from "@trailbook/core/time/Instant"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { cancelledBooking, confirmedBooking, heldBooking, movedBooking, org, record } from "./bookings.ts"
import { hostileText } from "./hostile.ts"
import { millis, physicalLines, properties, unescapeText, valueOf } from "./ics.ts"

interface Words {
  readonly outfitter: string
  readonly offering: string
  readonly guest: string
  readonly replies: string
  readonly location: string
  readonly at: { readonly lat: number; readonly lon: number } | null
}

const words: FastCheck.Arbitrary<Words> = FastCheck.record({
  outfitter: hostileText,
  offering: hostileText,
  guest: hostileText,
  replies: hostileText,
  location: hostileText,
  at: FastCheck.option(
    FastCheck.record({
      lat: FastCheck.double({ min: -90, max: 90, noNaN: true }),
      lon: FastCheck.double({ min: -180, max: 180, noNaN: true })
    })
  )
})

interface Change {
  readonly kind: Parameters<typeof composeBookingMail>[1]
  readonly booking: Booking
}

const changes = FastCheck.constantFrom<Array<Change>>(
  { kind: "mail.held", booking: heldBooking },
  { kind: "mail.confirmed", booking: confirmedBooking },
  { kind: "mail.moved", booking: movedBooking },
  { kind: "mail.updated", booking: confirmedBooking },
  { kind: "mail.cancelled", booking: cancelledBooking }
)

const plain: Words = {
  outfitter: "Outfitter",
  offering: "Offering",
  guest: "Ada",
  replies: "soon",
  location: "",
  at: null
}

/** Replaces hostile text with harmless text. */
const plainly = ({ at, location }: Words): Words => ({
  ...plain,
  location: toSingleLine(location) === "" ? "" : "Boathouse",
  at
})

const mailOf = ({ booking, kind }: Change, words: Words) => {
  const { customer, ...rest } = record(booking, { name: words.offering })
  return composeBookingMail(
    { id: "0197a1b2-0000-7000-8000-000000000009", dueAt: booking.createdAt },
    kind,
    { ...rest, customer: { ...customer, name: words.guest } },
    toMeetingPoint({ location: words.location, ...(words.at ?? { lat: null, lon: null }) }),
    { ...org, name: words.outfitter, replyWindow: words.replies },
    "https://book.example"
  )
}

describe("text typed by users", () => {
  it("adds no invalid character to a header", () => {
    FastCheck.assert(
      FastCheck.property(changes, words, (change, words) => {
        const { from, subject, to } = mailOf(change, words)
        for (const text of [subject, from.name, to.name]) {
          expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
          expect(text.isWellFormed()).toBe(true)
        }
      })
    )
  })

  it("appears unchanged in the HTML without adding tags", () => {
    const tags = (html: string) => html.match(/<[^>]*>/g)
    FastCheck.assert(
      FastCheck.property(changes, words, (change, words) => {
        const { html } = mailOf(change, words)
        expect(tags(html)).toEqual(tags(mailOf(change, plainly(words)).html))
        const decodedHtml = html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
        const where = change.kind === "mail.cancelled" ? [] : [words.location]
        for (const text of [words.outfitter, words.offering, words.replies, ...where]) {
          expect(decodedHtml).toContain(toSingleLine(text))
        }
      })
    )
  })

  it("keeps its line breaks", () => {
    const lines = (text: string) => text.split("\n").length
    FastCheck.assert(
      FastCheck.property(changes, words, (change, words) => {
        expect(lines(mailOf(change, words).text)).toBe(lines(mailOf(change, plainly(words)).text))
      })
    )
  })

  it("is folded into calendar lines of at most 75 octets", () => {
    const names = (ics: string) => properties(ics).map(({ name }) => name)
    FastCheck.assert(
      FastCheck.property(changes, words, (change, words) => {
        const { ics } = mailOf(change, words).calendar
        for (const line of physicalLines(ics)) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line.isWellFormed()).toBe(true)
        }
        expect(names(ics)).toEqual(names(mailOf(change, plainly(words)).calendar.ics))
        const line = toSingleLine(words.location)
        if (line !== "") expect(unescapeText(valueOf(ics, "LOCATION"))).toBe(line)
        // RFC 5545: two plain decimals within the valid range.
        if (words.at !== null) expect(valueOf(ics, "GEO")).toMatch(/^-?\d{1,2}(\.\d{1,6})?;-?\d{1,3}(\.\d{1,6})?$/)
        expect(unescapeText(valueOf(ics, "SUMMARY"))).toBe(
          `${toSingleLine(words.offering)}, ${toSingleLine(words.outfitter)}`
        )
      })
    )
  })
})

it("states the booking's start and end to the second in the calendar entry", () => {
  const starts = FastCheck.integer({ min: 0, max: 4e12 })
  const lengths = FastCheck.integer({ min: 1, max: 4e9 })
  FastCheck.assert(
    FastCheck.property(starts, lengths, (start, length) => {
      const end = start + length
      const booking = { ...confirmedBooking, startsAt: Instant.make(start), endsAt: Instant.make(end) }
      const { ics } = mailOf({ kind: "mail.confirmed", booking }, plain).calendar
      expect(millis(valueOf(ics, "DTSTART"))).toBe(start - start % 1000)
      expect(millis(valueOf(ics, "DTEND"))).toBe(end - end % 1000)
    })
  )
})
