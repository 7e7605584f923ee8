import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type BookingRecord, getGuestName } from "../booking/BookingView.ts"
import { GuestConversations, guestLinkLifetimeMinutes } from "../conversation/GuestConversations.ts"
import { CustomerStore, getContactEmail } from "../customer/Customer.ts"
import { emailProofLifetimeHours, makeProofSecret, parseProofTaskSubject } from "../customer/EmailProof.ts"
import { type MailContent, makeAutomatedMail, renderAutomatedMail } from "../mail/automatedMail.ts"
import { makeLocalTimeFormat } from "../mail/localTimeFormat.ts"
import { Mailer } from "../mail/Mailer.ts"
import { renderButtonMail } from "../mail/renderPlainMail.ts"
import { formatGreeting, formatNameForMail, toSingleLine } from "../mail/toSingleLine.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import { Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { invitationDays } from "../staff/sign-in/StaffSession.ts"
import { StaffSessions } from "../staff/sign-in/StaffSessions.ts"
import { StaffStore } from "../staff/StaffMember.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { currentTime } from "../time/currentTime.ts"
import type { Language } from "../wire/Language.ts"
import type { TaskHandlerOptions } from "./TaskHandlers.ts"
import { makeAttachOrg, makeLoadBookingSubjects, runAsTask } from "./taskSubjects.ts"
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
      triedForMinutes: guestLinkLifetimeMinutes,
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
      `The link works once and expires in ${guestLinkLifetimeMinutes} minutes.`
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

/** Emails a link that proves a guest's address. The secret is created when the email is sent and is not stored. */
export const makeProofMailHandler = ({ publicUrl }: Pick<TaskHandlerOptions, "publicUrl">) =>
  Effect.gen(function*() {
    const customers = yield* CustomerStore
    const ids = yield* Ids
    const mailer = yield* Mailer
    const attachOrgs = yield* makeAttachOrg
    const { ofProof: findDelayEnd } = yield* makeUnprovenMailLimiter

    const loadCustomers = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const toKey = (task: Task) => ({ orgId: task.orgId, id: parseProofTaskSubject(task).customerId })
        const rows = yield* customers.find(tasks.map(toKey))
        return yield* attachOrgs(tasks, (task) => {
          const { id, orgId } = toKey(task)
          const customer = rows.find((row) => row.id === id && row.orgId === orgId && row.erasedAt === null)
          return customer && { customer }
        })
      })

    return Handler.make({
      triedForMinutes: emailProofLifetimeHours * 60,
      read: loadCustomers,
      run: (task, { customer, org }) =>
        Effect.gen(function*() {
          const laterAt = yield* findDelayEnd(task, customer)
          if (laterAt !== undefined) return { laterAt }
          const { language } = parseProofTaskSubject(task)
          const secret = makeProofSecret(ids, org, customer.id, yield* currentTime)
          const url = `${publicUrl}/book/${org.slug}/email/${secret}`
          return yield* runAsTask(mailer.send(renderAutomatedMail(task.id, customer, proofMail(org, language, url))))
        })
    })
  })

const englishProof = {
  heading: "Confirm your email",
  greeting: "Hello,",
  lead: (outfitter: string) =>
    `To book with ${outfitter}, confirm your email with the link below. Then return to the booking page and submit ` +
    `the form again. The link expires in 24 hours.`,
  action: "Confirm email",
  closing: "If you did not try to book, ignore this email. Nothing was booked."
}

const spanishProof: typeof englishProof = {
  heading: "Confirme su correo electrónico",
  greeting: "Hola:",
  lead: (outfitter) =>
    `Para reservar con ${outfitter}, confirme su correo con el siguiente enlace. Después, vuelva a la página de ` +
    `reservas y envíe el formulario de nuevo. El enlace vence en 24 horas.`,
  action: "Confirmar correo",
  closing: "Si usted no intentó reservar, ignore este correo. No se reservó nada."
}

const proofTexts: Record<Language, typeof englishProof> = { en: englishProof, es: spanishProof }

/**
 * Returns the email whose link proves the address of a guest who requested more seats than are allowed without proof.
 * It is written in the language of the booking page.
 */
const proofMail = ({ name }: Org, language: Language, url: string): MailContent => {
  const { action, closing, greeting, heading, lead } = proofTexts[language]
  const outfitter = toSingleLine(name)
  return {
    news: "held",
    language,
    outfitter,
    subject: `${heading}: ${outfitter}`,
    heading,
    greeting,
    paragraphs: [lead(outfitter)],
    rows: [],
    action: { label: action, url },
    further: [],
    closing: [closing]
  }
}

/**
 * Emails invitations to new staff members, with a sign-in link. The secret is created when the email is sent and is not
 * stored. A repeated email contains a new secret.
 */
export const makeInvitationMailHandler = ({ staffUrl }: { readonly staffUrl: string }) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const staff = yield* StaffStore
    const { link } = yield* StaffSessions
    const attachOrgs = yield* makeAttachOrg

    const loadMembers = (tasks: ReadonlyArray<Task>) =>
      Effect.gen(function*() {
        const members = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
        return yield* attachOrgs(tasks, ({ orgId, subjectId }) => {
          // Send no email if the staff member has been removed since.
          const [memberId, inviterId] = subjectId.split(" ")
          const findMember = (id: string | undefined) => members.find((one) => one.id === id && one.orgId === orgId)
          const member = findMember(memberId)
          return member && { member, inviter: findMember(inviterId) }
        })
      })

    return Handler.make({
      triedForMinutes: Handler.mailRetryLimitMinutes,
      read: loadMembers,
      run: (task, { inviter, member, org }) =>
        Effect.gen(function*() {
          const { id: staffId, orgId } = member
          const minutes = invitationDays * 24 * 60
          const secret = yield* Effect.provideService(link({ orgId, staffId, minutes }), TenantScope, [orgId])
          const outfitter = toSingleLine(org.name)
          const inviterName = formatNameForMail(inviter?.name || inviter?.email || "")
          const signInUrl = `${staffUrl}/sign-in`
          return yield* runAsTask(mailer.send(makeAutomatedMail(task.id, outfitter, member, {
            subject: `Invitation to join ${outfitter}`,
            ...renderButtonMail({
              lead: `${inviterName === "" ? "You were added" : `${inviterName} added you`} as a staff member of ${
                ensureFinalPeriod(outfitter)
              } Use this link to sign in:`,
              button: "Sign in",
              url: `${signInUrl}/${secret}`,
              rest: [
                `The link works once and expires in ${invitationDays} days. To get a new link, go to ${signInUrl}`
              ],
              closing: "If you did not expect this invitation, you can safely ignore this email."
            })
          })))
        })
    })
  })
