import type { Booking } from "@trailbook/core/booking/Booking"
import type { MeetingPoint } from "@trailbook/core/mail/MeetingPoint"
import { type BookingMailOptions, composeBookingMail } from "@trailbook/core/mail/renderBookingMail"
import { describe, expect, it } from "vitest"
import {
  at,
  cancelledBooking,
  confirmedBooking,
  heldBooking,
  movedBooking,
  org,
  paidBooking,
  record
} from "./bookings.ts"
import { unescapeText, valueOf } from "./ics.ts"

const task = { id: "0197a1b2-0000-7000-8000-000000000009", dueAt: at("2026-05-01T15:10:00Z") }
const page = "https://book.example/b/Jx2nA0cJ5m1q8WkVbQZr4w"

const mailOf = (
  kind: Parameters<typeof composeBookingMail>[1],
  booking: Booking,
  overrides: Partial<typeof org> = {},
  place?: MeetingPoint,
  options?: BookingMailOptions
) => composeBookingMail(task, kind, record(booking), place, { ...org, ...overrides }, "https://book.example", options)

describe("booking emails", () => {
  it("state the amount and the deadline for a hold", () => {
    const mail = mailOf("mail.held", heldBooking)
    expect(mail.subject).toBe("Payment required: Pine River Outfitters (7K3M9Q2X)")
    expect(mail.text).toBe(`Hi Ada,

Pine River Outfitters is holding your spot until Fri, May 1, 2026, 9:30 AM MDT. Pay before then to confirm your booking. After that, your spot may be sold.

What:       Half-day raft trip
When:       Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT
Booked:     2 guests
Total:      $240.00, not paid yet
Reference:  7K3M9Q2X

Pay $240.00:
https://pay.example/c/1?a=b&c=d

View your booking:
${page}

Pine River Outfitters

-- 
Questions? Message us on your booking page.
You are receiving this email because you have a booking with Pine River Outfitters.
`)
    expect(valueOf(mail.calendar.ics, "STATUS")).toBe("TENTATIVE")
  })

  it("greet the guest by the name in the booking", () => {
    const contact = { email: "ada@example.com", name: "Grace Hopper", phone: "" }
    const mail = mailOf("mail.confirmed", { ...paidBooking, contact })
    expect(mail.text).toMatch(/^Hi Grace,/)
    expect(mail.to).toEqual({ name: "Grace Hopper", email: "ada@example.com" })
    expect(mailOf("mail.confirmed", { ...paidBooking, contact: { ...contact, name: "" } }).text).toMatch(/^Hi Ada,/)
  })

  it("show a check-in QR code for a confirmed booking", () => {
    const urls: Array<string> = []
    const drawCode = (url: string) => {
      urls.push(url)
      return new Uint8Array([1, 2])
    }
    const { attachments, html } = mailOf("mail.confirmed", paidBooking, {}, undefined, { drawCode })
    expect(urls).toEqual([`https://book.example/c/${paidBooking.checkInToken}`])
    const [image] = attachments
    expect(attachments).toEqual([{
      name: "image.png",
      type: "image/png",
      content: new Uint8Array([1, 2]),
      contentId: image?.contentId
    }])
    expect(html).toContain(`<img src="cid:${image?.contentId}"`)
    expect(html).toContain(`alt="QR code for check-in"`)
    for (const booking of [heldBooking, cancelledBooking]) {
      expect(mailOf("mail.held", booking, {}, undefined, { drawCode }).attachments).toEqual([])
    }
    expect(mailOf("mail.confirmed", paidBooking).attachments).toEqual([])
  })

  it("state the place and the time of a confirmed booking", () => {
    const mail = mailOf("mail.confirmed", paidBooking, { replyWindow: "within a day" }, undefined, { canReply: true })
    expect(mail).toMatchObject({
      id: task.id,
      from: { name: "Pine River Outfitters" },
      to: { name: "Ada Lovelace", email: "ada@example.com" },
      subject: "Booking confirmed: Pine River Outfitters (7K3M9Q2X)"
    })
    expect(mail.text).toBe(`Hi Ada,

Your booking with Pine River Outfitters is confirmed. We look forward to seeing you.

What:       Half-day raft trip
When:       Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT
Booked:     2 guests
Total:      $240.00, paid
Reference:  7K3M9Q2X

View your booking:
${page}

Pine River Outfitters

-- 
Questions? Reply to this email. Expected reply time: within a day
You are receiving this email because you have a booking with Pine River Outfitters.
`)
    expect(mail.calendar.ics).toBe(
      [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Trailbook//Trailbook//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "UID:0197a1b2-0000-7000-8000-000000000002",
        "SEQUENCE:600",
        "DTSTAMP:20260501T151000Z",
        "DTSTART:20260606T150000Z",
        "DTEND:20260606T180000Z",
        "STATUS:CONFIRMED",
        "SUMMARY:Half-day raft trip\\, Pine River Outfitters",
        "DESCRIPTION:2 guests\\nReference 7K3M9Q2X\\nhttps://book.example/b/Jx2nA0cJ5m",
        " 1q8WkVbQZr4w",
        `URL:${page}`,
        "END:VEVENT",
        "END:VCALENDAR",
        ""
      ].join("\r\n")
    )
  })

  it("state the new and the previous time after a move", () => {
    const mail = mailOf("mail.moved", movedBooking)
    expect(mail.subject).toBe("New booking time: Pine River Outfitters (7K3M9Q2X)")
    expect(mail.text).toContain("has changed. Everything else stays the same.")
    expect(mail.text).toContain(
      "New time:   Sun, Jun 7, 2026, 9:00 AM – 12:00 PM MDT\nOld time:   Sat, Jun 6, 2026, 9:00 AM"
    )
    expect(mail.html).toContain("<s>Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT</s>")
    expect(mail.calendar.method).toBe("PUBLISH")
  })

  it("state the refund and cancel the calendar event", () => {
    const mail = mailOf("mail.cancelled", cancelledBooking)
    expect(mail.subject).toBe("Booking canceled: Pine River Outfitters (7K3M9Q2X)")
    expect(mail.text).toContain("You paid $240.00. Your refund is being processed.")
    expect(mail.text).toContain("Was on:     Sat, Jun 6, 2026, 9:00 AM – 12:00 PM MDT")
    expect(mail.text).not.toContain("Total:")
    expect(mail.calendar.method).toBe("CANCEL")
    expect(valueOf(mail.calendar.ics, "METHOD")).toBe("CANCEL")
    expect(valueOf(mail.calendar.ics, "STATUS")).toBe("CANCELLED")
  })
})

it("states who canceled a booking or why a hold ended", () => {
  const textOf = (kind: Parameters<typeof mailOf>[0], options?: BookingMailOptions) =>
    mailOf(kind, { ...cancelledBooking, confirmedAt: confirmedBooking.confirmedAt }, {}, undefined, options).text
  expect(textOf("mail.cancelled")).toContain("Pine River Outfitters canceled your booking.")
  expect(textOf("mail.guest_cancelled")).toContain("You canceled your booking with Pine River Outfitters.")
  expect(textOf("mail.expired", { payments: [{ mismatch: null }] })).toContain("expired because no payment arrived.")
  expect(textOf("mail.cancelled")).not.toContain("Book again")
  expect(textOf("mail.cancelled", { isBookable: true }))
    .toContain(`Book again:\nhttps://book.example/book/pine-river/${confirmedBooking.offeringId}`)
})

it("states the status of a duplicate or mismatched payment", () => {
  expect(mailOf("mail.returned", paidBooking).subject)
    .toBe("Second payment: refund in progress: Pine River Outfitters (7K3M9Q2X)")
  const unpaid = { ...cancelledBooking, paidAt: null, paymentIntentId: null, refund: null }
  const mismatch = { at: paidBooking.createdAt, intent: "pi_2", cents: 9500, currency: "usd" }
  const { text } = mailOf("mail.cancelled", unpaid, {}, undefined, { payments: [{ mismatch }] })
  expect(text).toContain("We received a payment that does not match your booking and are checking it.")
  expect(text).not.toContain("not been charged")
  expect(mailOf("mail.expired", unpaid, {}, undefined, { payments: [{ mismatch }] }).text)
    .toContain("expired before your payment could be confirmed.")
})

it("requests the amount due now with a link to the booking page", () => {
  const { subject, text } = mailOf("mail.payment", { ...paidBooking, onlineCents: 6000 })
  expect(subject).toBe("Payment requested: Pine River Outfitters (7K3M9Q2X)")
  expect(text).toContain("$180.00 is due for your booking with Pine River Outfitters.")
  expect(text).toContain(`Pay $180.00:\n${page}`)
})

it("describes the booking in its current state", () => {
  expect(mailOf("mail.held", cancelledBooking).subject).toContain("Booking canceled")
  expect(mailOf("mail.confirmed", cancelledBooking).subject).toContain("Booking canceled")
  expect(mailOf("mail.moved", cancelledBooking).text).not.toContain("New time")
  expect(mailOf("mail.held", paidBooking)).toEqual(mailOf("mail.confirmed", paidBooking))
  expect(mailOf("mail.confirmed", movedBooking).text).toContain("When:       Sun, Jun 7")
})

it("asks the guest to pay for a hold that was moved", () => {
  const { endsAt, previous, startsAt } = movedBooking
  const { text } = mailOf("mail.moved", { ...heldBooking, endsAt, previous, startsAt })
  expect(text).toContain("New time:")
  expect(text).toContain("is holding your spot until Fri, May 1, 2026, 9:30 AM MDT")
  expect(text).toContain("Pay $240.00:\nhttps://pay.example/c/1?a=b&c=d")
})

it("requests no payment for a moved hold if none is due online", () => {
  const { endsAt, previous, startsAt } = movedBooking
  const { text } = mailOf("mail.moved", {
    ...heldBooking,
    checkoutUrl: null,
    endsAt,
    paymentDue: false,
    previous,
    startsAt
  })
  expect(text).toContain(
    "is holding your spot until Fri, May 1, 2026, 9:30 AM MDT. Your booking is not confirmed yet."
  )
  expect(text).not.toContain("Pay")
})

it("omits the old time if the move does not change the time", () => {
  const { endsAt, startsAt } = paidBooking
  const { text } = mailOf("mail.moved", { ...paidBooking, previous: { startsAt, endsAt, sessionId: org.id } })
  expect(text).toContain("When:       Sat, Jun 6")
  expect(text).not.toContain("Old time")
})

it("states that the amount was refunded only when the refund is complete", () => {
  const mailIn = (overrides: Partial<typeof cancelledBooking>) =>
    mailOf("mail.cancelled", { ...cancelledBooking, ...overrides }).text
  const at = cancelledBooking.cancelledAt
  expect(mailIn({ refund: { status: "done", cents: cancelledBooking.totalCents, at } })).toContain(
    "The full amount was refunded"
  )
  expect(mailIn({ refund: { status: "due", cents: cancelledBooking.totalCents, at } })).not.toContain(
    "The full amount was refunded"
  )
  expect(mailIn({ refund: { status: "refused", cents: cancelledBooking.totalCents, at } })).toContain(
    "Your refund is delayed."
  )
  expect(mailIn({ refund: null, dispute: { status: "open", at } })).toContain("your bank decides")
})

it("omits a price or refund of zero", () => {
  const free = { ...confirmedBooking, totalCents: 0 }
  expect(mailOf("mail.confirmed", free).text).not.toMatch(/Total|\$/)
  expect(mailOf("mail.cancelled", { ...cancelledBooking, totalCents: 0 }).text).not.toMatch(/refund|charged/)
  const unpaid = { ...cancelledBooking, paidAt: null, paymentIntentId: null }
  expect(mailOf("mail.cancelled", unpaid).text).toContain("You have not been charged online.")
  expect(mailOf("mail.cancelled", { ...unpaid, paymentIntentId: "pi_1" }).text).toContain(
    "after your hold expired. Your refund is being processed."
  )
  expect(mailOf("mail.cancelled", { ...cancelledBooking, refund: null }).text).toContain(
    "No refund was issued because your booking had already started."
  )
})

it("includes the same content in the text and HTML parts", () => {
  for (
    const [kind, booking] of [["mail.held", heldBooking], ["mail.moved", movedBooking], [
      "mail.cancelled",
      cancelledBooking
    ]] as const
  ) {
    const { html, text } = mailOf(kind, booking, { replyWindow: "within a day" })
    const decodedHtml = html.replaceAll("&#38;", "&")
    // Labels and values are in separate table cells, and URLs are in attributes.
    for (const words of text.split(/\n|(?<=^[A-Z][a-z ]{2,9}:) {2,}/m)) {
      expect(decodedHtml).toContain(words.replace(/^-- $|:$/, ""))
    }
  }
})

describe("the meeting place", () => {
  const boathouse = { words: "Boathouse; Riverside Park, Salida", position: { lat: "38.5347", lon: "-106.0017" } }
  const map = "https://www.openstreetmap.org/?mlat=38.5347&mlon=-106.0017#map=17/38.5347/-106.0017"

  it.each(
    [["mail.held", heldBooking], ["mail.confirmed", paidBooking], ["mail.moved", movedBooking]] as const
  )("appears in %s with a map link", (kind, booking) => {
    const { calendar: { ics }, html, text } = mailOf(kind, booking, {}, boathouse)
    expect(text).toMatch(/^Where: +Boathouse; Riverside Park, Salida\nBooked:/m)
    expect(text).toContain(`Meeting point on a map:\n${map}\n`)
    expect(html).toContain(`href="${map.replaceAll("&", "&#38;")}"`)
    expect(valueOf(ics, "LOCATION")).toBe("Boathouse\\; Riverside Park\\, Salida")
    expect(valueOf(ics, "GEO")).toBe("38.5347;-106.0017")
    expect(unescapeText(valueOf(ics, "DESCRIPTION"))).toContain(`\nWhere to meet: ${map}`)
  })

  it("has no map link if the outfitter enters only text", () => {
    const { calendar: { ics }, html, text } = mailOf("mail.confirmed", paidBooking, {}, {
      ...boathouse,
      position: undefined
    })
    expect(text).toContain("Where:      Boathouse; Riverside Park, Salida")
    expect(text + html + ics).not.toMatch(/openstreetmap|GEO/)
  })

  it("is omitted if it is unset or the booking is canceled", () => {
    const { text } = mailOf("mail.cancelled", cancelledBooking, {}, boathouse)
    expect(text).not.toMatch(/Where|map/)
    const { calendar: { ics }, ...plain } = mailOf("mail.confirmed", paidBooking)
    expect(plain.text + plain.html + ics).not.toMatch(/Where|LOCATION|GEO|on a map/)
  })
})

it("composes the same email for the same task and booking", () => {
  expect(mailOf("mail.held", heldBooking)).toEqual(mailOf("mail.held", heldBooking))
})
