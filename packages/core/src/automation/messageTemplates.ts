/**
 * The ops agent's messages to guests. They are written on the outfitter's behalf and use the outfitter's time zone.
 * Each message states the event, the reason, and the guest's options, in plain text. A message to one guest starts with
 * `{first_name}`. The name is filled in when the message is sent, so an erasure does not need to search proposals for
 * names.
 */
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import type { UnitSystem } from "../org/units.ts"
import type { Instant } from "../time/Instant.ts"
import { get } from "../time/Zone.ts"

/** The outfitter on whose behalf a message is written. */
export interface MessageSender {
  readonly org: string
  readonly timezone: string
  readonly reviewUrl: string | null
  readonly units: UnitSystem
}

export interface MessageTemplate {
  readonly subject: string
  readonly body: string
}

interface MessageTrip {
  readonly offering: string
  readonly startsAt: Instant
}

/** Creates a message without a signature, because the signature is added to every email. */
const makeTemplate = (subject: string, ...paragraphs: ReadonlyArray<string>): MessageTemplate => ({
  subject: toSingleLine(subject).slice(0, 200),
  body: [greeting, ...paragraphs].join("\n\n")
})

const greeting = "Hi {first_name},"

/** Returns the message for a trip that is canceled because of the weather or the river. */
export const makeCancellationMessage = (
  sender: MessageSender,
  { because, offering, startsAt }: MessageTrip & {
    /** The reason, such as `strong wind and thunderstorms`. */
    readonly because: string
  }
): MessageTemplate =>
  makeTemplate(
    `Canceled: ${offering}`,
    `We had to cancel ${toSingleLine(offering)} on ${
      formatTime(sender, startsAt)
    } because of ${because}. We are sorry, but your ` +
      "safety comes first.",
    rebookingText
  )

/** Returns the message for a session that is canceled because it has too few guests. */
export const makeTooFewGuestsMessage = (sender: MessageSender, { offering, startsAt }: MessageTrip): MessageTemplate =>
  makeTemplate(
    `Canceled: ${offering}`,
    `We are sorry. We had to cancel ${toSingleLine(offering)} on ${
      formatTime(sender, startsAt)
    } because too few guests booked.`,
    rebookingText
  )

/** Returns the message for a booking that moves to another time. */
export const makeMovedBookingMessage = (
  sender: MessageSender,
  { because, offering, startsAt, to }: MessageTrip & {
    /** The reason, such as `because of strong wind`. */
    readonly because: string
    readonly to: Instant
  }
): MessageTemplate =>
  makeTemplate(
    `New time: ${offering}`,
    `We moved your booking for ${toSingleLine(offering)} from ${formatTime(sender, startsAt)} to ${
      formatTime(sender, to)
    } ` +
      `${because}. Everything else stays the same.`,
    "If the new time does not work for you, reply to this message. We will find another time or cancel your booking."
  )

/** Returns the message to all of the day's guests. */
export const makeSeeYouMessage = (sender: MessageSender): MessageTemplate =>
  makeTemplate(
    `See you today at ${sender.org}`,
    "We look forward to seeing you today. Please arrive a few minutes early, dressed for the weather.",
    "If you are running late or have a question, reply to this message."
  )

/** Returns the reminder that is sent a day or 2 hours before the start. */
export const makeReminderMessage = (
  sender: MessageSender,
  { map, meetingPoint, offering, soon, startsAt }: MessageTrip & {
    readonly soon: boolean
    readonly map: string | undefined
    /** The meeting point, or an empty string if it is unknown. */
    readonly meetingPoint: string
  }
): MessageTemplate =>
  makeTemplate(
    soon ? `Starting soon: ${offering}` : `Tomorrow: ${offering}`,
    soon
      ? `${toSingleLine(offering)} starts soon: ${formatTime(sender, startsAt)}. See you there.`
      : `This is a reminder that ${toSingleLine(offering)} starts on ${
        formatTime(sender, startsAt)
      }. We look forward to seeing you.`,
    ...[
      [
        ...(meetingPoint === "" ? [] : [`Meeting point: ${toSingleLine(meetingPoint)}`]),
        ...(map === undefined ? [] : [`Map: ${map}`])
      ].join("\n")
    ].filter((line) => line !== ""),
    "If your plans have changed, reply to this message."
  )

/** Returns the balance reminder. The amount is filled in when the message is sent, because payments can change it. */
export const makeBalanceMessage = (
  sender: MessageSender,
  { offering, page, startsAt }: MessageTrip & {
    /** The booking page URL. */
    readonly page: string
  }
): MessageTemplate =>
  makeTemplate(
    `Balance due: ${offering}`,
    `The balance of {balance} for ${toSingleLine(offering)} on ${
      formatTime(sender, startsAt)
    } is due. To pay, open your booking page:\n${page}`,
    "If you have a question, reply to this message."
  )

/**
 * Replaces "Tomorrow" in a reminder's subject if the reminder is sent on the day of the trip. Quiet hours or a late
 * approval can delay a reminder until that day.
 */
export const updateReminderSubject = (
  subject: string,
  startsAt: Instant,
  now: Instant,
  { timezone }: Pick<MessageSender, "timezone">
) => {
  const zone = get(timezone)
  return zone.dateAt(startsAt) === zone.dateAt(now) ? subject.replace(/^Tomorrow: /, "Today: ") : subject
}

/** Returns the message sent after the trip, with the review link. */
export const makeThankYouMessage = (
  sender: MessageSender,
  { offering }: { readonly offering: string }
): MessageTemplate =>
  makeTemplate(
    `Thank you for joining ${sender.org}`,
    `Thank you for joining us for ${toSingleLine(offering)}. We hope you enjoyed it.`,
    ...(sender.reviewUrl === null ? [] : [`If you have a minute, please leave a review: ${sender.reviewUrl}`])
  )

/**
 * `formatCancellations` adds the guest's bookings, their refunds, and a link to book again when the message is sent.
 */
const rebookingText = "You do not need to do anything. To choose another day, reply to this message or book again."

const formatTime = ({ timezone }: MessageSender, instant: Instant): string => formatStartTime(instant, timezone)
