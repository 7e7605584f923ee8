/** The email with the link that confirms a booking from the public page. It is written in the language of that page. */
import type { HeldBooking } from "../booking/Booking.ts"
import { type BookingRecord, getGuestName } from "../booking/BookingView.ts"
import { formatAmount } from "../money/Currency.ts"
import { formatQuantity } from "../offering/formatQuantity.ts"
import type { Org } from "../org/Org.ts"
import type { Language } from "../wire/Language.ts"
import type { MailContent } from "./automatedMail.ts"
import { makeLocalTimeFormat } from "./localTimeFormat.ts"
import type { MeetingPoint } from "./MeetingPoint.ts"
import { formatGreeting, toSingleLine } from "./toSingleLine.ts"

const english = {
  subject: (outfitter: string, reference: string) => `Confirm your booking: ${outfitter} (${reference})`,
  heading: "Confirm your booking",
  greeting: formatGreeting,
  lead: (outfitter: string, until: string) =>
    `${outfitter} is holding your spot until ${until}. Confirm your email to keep it. ` +
    "After that, your spot may be sold.",
  what: "What",
  when: "When",
  where: "Where",
  booked: "Booked",
  total: "Total",
  reference: "Reference",
  action: "Confirm booking",
  closing: "If you did not make this booking, ignore this email. The booking is confirmed only if you use the link.",
  quantity: formatQuantity
}

const spanish: typeof english = {
  subject: (outfitter, reference) => `Confirme su reserva: ${outfitter} (${reference})`,
  heading: "Confirme su reserva",
  greeting: (name) =>
    formatGreeting(name) === "Hello," ? "Hola:" : formatGreeting(name).replace(/^Hi (.*),$/u, "Hola, $1:"),
  lead: (outfitter, until) =>
    `${outfitter} guarda su lugar hasta el ${until}. Confirme su correo electrónico para conservarlo. ` +
    "Después de esa hora, el lugar podría venderse.",
  what: "Qué",
  when: "Cuándo",
  where: "Dónde",
  booked: "Reservado",
  total: "Total",
  reference: "Referencia",
  action: "Confirmar reserva",
  closing: "Si usted no hizo esta reserva, ignore este correo. La reserva se confirma solo si usa el enlace.",
  quantity: (kind, quantity) => {
    switch (kind) {
      case "class":
      case "appointment":
        return quantity === 1 ? "1 persona" : `${quantity} personas`
      case "rental":
        return quantity === 1 ? "1 artículo" : `${quantity} artículos`
    }
  }
}

const texts: Record<Language, typeof english> = { en: english, es: spanish }

export const renderConfirmationMail = (
  { customer, offering }: BookingRecord,
  booking: HeldBooking,
  meetingPoint: MeetingPoint | undefined,
  { currency, name, timezone }: Org,
  language: Language,
  url: string
): MailContent => {
  const text = texts[language]
  const outfitter = toSingleLine(name)
  const clock = makeLocalTimeFormat(timezone, language)
  return {
    news: "held",
    language,
    outfitter,
    subject: text.subject(outfitter, booking.reference),
    heading: text.heading,
    greeting: text.greeting(getGuestName({ booking, customer })),
    paragraphs: [text.lead(outfitter, clock.time(booking.expiresAt))],
    rows: [
      { label: text.what, value: toSingleLine(offering.name) },
      { label: text.when, value: clock.span(booking) },
      ...(meetingPoint === undefined ? [] : [{ label: text.where, value: meetingPoint.words }]),
      { label: text.booked, value: text.quantity(offering.kind, booking.quantity) },
      ...(booking.totalCents === 0
        ? []
        : [{ label: text.total, value: formatAmount(booking.totalCents, currency) }]),
      { label: text.reference, value: booking.reference }
    ],
    action: { label: text.action, url },
    further: [],
    closing: [text.closing]
  }
}
