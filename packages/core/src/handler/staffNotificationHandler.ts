/** Notifies the staff through the host application's notifier, or by email by default. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type BookingRecord, getGuestName, getGuestPhone } from "../booking/BookingView.ts"
import { formatStartTime } from "../conversation/message/formatStartTime.ts"
import { makeAutomatedMail } from "../mail/automatedMail.ts"
import { Mailer } from "../mail/Mailer.ts"
import { renderMessageMail } from "../mail/renderPlainMail.ts"
import { formatNameForMail, toSingleLine } from "../mail/toSingleLine.ts"
import { formatQuantity } from "../offering/formatQuantity.ts"
import type { Org } from "../org/Org.ts"
import { ensureFinalPeriod } from "../org/Orgs.ts"
import {
  NotificationFailed,
  Notifier,
  parseStaffNotificationSubject,
  type StaffNotification
} from "../staff/Notifier.ts"
import { type StaffMember, StaffStore } from "../staff/StaffMember.ts"
import * as Handler from "../task/Handler.ts"
import type { Task } from "../task/Task.ts"
import { runAsTask } from "./taskSubjects.ts"

type NoticeContent =
  & Pick<StaffNotification, "about" | "aboutId" | "subject" | "text" | "url">
  & Partial<Pick<StaffNotification, "replyTo" | "attachments" | "omittedFiles" | "urlLabel">>

/**
 * Creates a handler that notifies one staff member per task. `loadSubjects` loads the tasks' subjects. `composeContent`
 * returns the text, or undefined to send nothing.
 */
export const makeStaffNotificationHandler = <Subject extends { readonly org: Org }>(
  loadSubjects: (
    tasks: ReadonlyArray<Task>,
    idOf: (task: Task) => string
  ) => Effect.Effect<ReadonlyArray<Subject | undefined>>,
  composeContent: (
    subject: Subject,
    member: StaffMember
  ) => Effect.Effect<NoticeContent | undefined, Handler.TaskFailed>
) =>
  Effect.gen(function*() {
    const mailer = yield* Mailer
    const notifier = Option.getOrElse(yield* Effect.serviceOption(Notifier), () => makeMailNotifier(mailer))
    const staff = yield* StaffStore
    return Handler.make({
      triedForMinutes: Handler.mailRetryLimitMinutes,
      read: (tasks) =>
        Effect.gen(function*() {
          const subjects = yield* loadSubjects(tasks, (task) => parseStaffNotificationSubject(task).aboutId)
          const members = (yield* Effect.forEach(new Set(tasks.map(({ orgId }) => orgId)), staff.list)).flat()
          return tasks.map((task, at) => {
            const subject = subjects[at]
            const { staffId } = parseStaffNotificationSubject(task)
            // The staff member may have left or turned notifications off.
            const member = members.find((one) => one.id === staffId && one.orgId === task.orgId && one.notify)
            return subject && member && { subject, member }
          })
        }),
      run: ({ id }, { member, subject }) =>
        Effect.flatMap(composeContent(subject, member), (content) =>
          content === undefined ? Handler.taskDone : runAsTask(notifier.tell({
            replyTo: null,
            attachments: [],
            omittedFiles: [],
            urlLabel: "Open the conversation",
            ...content,
            id,
            org: { id: subject.org.id, name: toSingleLine(subject.org.name) },
            to: { id: member.id, name: toSingleLine(member.name), email: member.email }
          })))
    })
  })

const makeMailNotifier = (mailer: Mailer["Type"]): Notifier["Type"] => ({
  tell: (notice) => {
    const { attachments, id, org, replyTo, subject, text, to } = notice
    const mail = makeAutomatedMail(id, org.name, to, {
      subject,
      ...renderMessageMail(text, toFooter(notice), [], toLink(notice), [toDashboardUrl(notice)])
    })
    return Effect.mapError(
      Effect.asVoid(mailer.send({ ...mail, attachments, replyTo })),
      ({ message, permanent }) => new NotificationFailed({ message, permanent })
    )
  }
})

const toLink = ({ omittedFiles, url, urlLabel }: StaffNotification) => ({
  url,
  label: omittedFiles.length === 0 ? urlLabel : `${urlLabel} to see ${omittedFiles.join(", ")}`
})

const toDashboardUrl = ({ url }: StaffNotification): string => url.replace(/(?<=\/dashboard\/).*$/, "")

/**
 * Returns the guest and the booking that a notice is about, each on its own line, for staff who need to call the guest.
 */
export const formatGuestLines = (
  { timezone }: Pick<Org, "timezone">,
  { name, phone, record }: {
    readonly name?: string
    readonly phone?: string
    readonly record: BookingRecord | undefined
  }
): string =>
  [
    `Guest: ${formatNameForMail(record === undefined ? name ?? "" : getGuestName(record)) || "unknown"}`,
    `Phone: ${(record === undefined ? phone : getGuestPhone(record)) || "none"}`,
    ...(record === undefined ? [] : [
      `Booking: ${record.booking.reference}, ${toSingleLine(record.offering.name)}, ${
        formatStartTime(record.booking.startsAt, timezone)
      }, ${formatQuantity(record.offering.kind, record.booking.quantity)}`
    ])
  ].join("\n")

/** Returns the footer for the email. */
const toFooter = ({ about, org, replyTo }: StaffNotification): ReadonlyArray<string> => {
  if (about === "undelivered") return ["You can also see this failure in your conversation with the guest."]
  if (about !== "message") {
    return [`You are receiving this email because you have notifications turned on for ${ensureFinalPeriod(org.name)}`]
  }
  return [
    `A guest sent this message to ${ensureFinalPeriod(org.name)}`,
    replyTo === null
      ? "Replies to this email do not reach the guest. Reply in the conversation."
      : "Reply to this email to answer the guest."
  ]
}
