import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BookingRecord } from "../booking/BookingView.ts"
import { getGuestName } from "../booking/getGuestName.ts"
import { GuestConversations, guestLinkMinutes } from "../conversation/GuestConversations.ts"
import { getContactEmail } from "../customer/Customer.ts"
import { type MailContent, renderAutomatedMail } from "../mail/automatedMail.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import { Mailer } from "../mail/Mailer.ts"
import { formatGreeting, toSingleLine } from "../mail/toSingleLine.ts"
import type { Org } from "../org/Org.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import * as Handler from "../task/Handler.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import { makeLoadBookingSubjects, runAsTask } from "./taskSubjects.ts"
import { makeUnprovenMailLimiter } from "./unprovenMailLimiter.ts"

/**
 * Emails a link that shows a guest all of their messages. The secret is created when the email is sent and is not
 * stored. A repeated email contains a new secret.
 */
export const makeGuestLinkMailHandler = ({ publicUrl }: Pick<TaskHandlerOptions, "publicUrl">) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const loadSubjects = yield* makeLoadBookingSubjects
    const { link } = yield* GuestConversations
    const { ofBooking: findDelayEnd } = yield* makeUnprovenMailLimiter

    return Handler.make({
      // After this time, the guest no longer expects the email.
      triedForMinutes: guestLinkMinutes,
      read: loadSubjects,
      run: (task, { org, record }) =>
        Effect.gen(function*() {
          const { booking: { handle, id, orgId }, customer } = record
          if (getContactEmail(customer) === "") return "done" as const
          const laterAt = yield* findDelayEnd(task, record.booking)
          if (laterAt !== undefined) return { laterAt }
          const secret = Option.getOrUndefined(yield* Effect.provideService(link({ orgId, id }), TenantScope, [orgId]))
          if (secret === undefined) return "done" as const
          const content = linkMail(record, org, `${publicUrl}/b/${handle}/messages/${secret}`)
          return yield* runAsTask(mailer.send(renderAutomatedMail(task.id, customer, content)))
        })
    })
  })

/** Returns the content of the email that links a guest to all of their messages on a booking page. */
const linkMail = (
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
    greeting: formatGreeting(getGuestName(record)),
    paragraphs: [
      `Use the link below to view all your messages with ${outfitter} on your booking page. ` +
      `The link works once and expires in ${guestLinkMinutes} minutes.`
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
