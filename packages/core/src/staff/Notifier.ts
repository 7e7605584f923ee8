import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { StaffMember } from "./StaffMember.ts"

/** A notification to one staff member who opted in. */
export interface StaffNotification {
  /** The notification's ID, which stays the same if the notification is resent. */
  readonly id: string
  /**
   * The kind of subject: a guest's message, an undelivered email, a disputed payment, a payment that does not match its
   * request, a refused refund, or an action by the ops agent.
   */
  readonly about: "message" | "undelivered" | "dispute" | "mismatch" | "refund" | "proposal"
  /** The ID of the message, note, payment, or proposal. */
  readonly aboutId: string
  readonly org: { readonly id: string; readonly name: string }
  readonly to: { readonly id: string; readonly name: string; readonly email: string }
  /** The subject, as a single line. */
  readonly subject: string
  /** The text, with the guest's message quoted verbatim. */
  readonly text: string
  /** The address for email replies to the guest. Null if no reply is expected or inbound mail is not set up. */
  readonly replyTo: { readonly name: string; readonly email: string } | null
  /** The guest's files to attach to the email. */
  readonly attachments: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly content: Uint8Array
  }>
  /** The names of files too large to attach. */
  readonly omittedFiles: ReadonlyArray<string>
  /** The dashboard page to open. */
  readonly url: string
  /** The label for the link, such as `Open the conversation`. */
  readonly urlLabel: string
}

/**
 * A notification could not be delivered. If `permanent` is set, the notification is not retried. The message is stored
 * with the task and shown to the outfitter, so it must not contain names or addresses.
 */
export class NotificationFailed extends Data.TaggedError("NotificationFailed")<{
  readonly message: string
  readonly permanent: boolean
}> {}

/**
 * Sends notifications to staff. By default, they are sent by email. The notifier is never called inside a transaction.
 * A notification can be sent more than once, each time with the same ID.
 */
export class Notifier extends Context.Tag("@trailbook/core/Notifier")<
  Notifier,
  {
    readonly tell: (notice: StaffNotification) => Effect.Effect<void, NotificationFailed>
  }
>() {}

/**
 * The kinds of notifications: a guest's message, a disputed payment, a mismatched payment, a refused refund, or an
 * action by the ops agent.
 */
export type StaffNotificationKind = (typeof noticeKinds)[number]

/** The kinds for which `aboutId` identifies a payment. */
export const paymentStaffNotificationKinds = ["mail.dispute", "mail.mismatch", "mail.refund"] as const

const noticeKinds = ["mail.staff", ...paymentStaffNotificationKinds, "mail.proposal"] as const

export interface StaffNotificationSubject {
  /** The ID of the message, payment, or proposal. */
  readonly aboutId: string
  /** The recipient. */
  readonly staffId: string
  /** The last message, if the notification covers several. */
  readonly lastId?: string | undefined
}

/**
 * Returns one task for each member of `staff` who has notifications turned on. Each recipient gets a separate task, so
 * that retrying a failed delivery does not notify the others again.
 */
export const makeStaffNotificationTasks = (
  ids: Ids["Type"],
  staff: ReadonlyArray<StaffMember>,
  { aboutId, lastId, ...task }:
    & Pick<Task.Task, "dueAt" | "orgId">
    & Pick<StaffNotificationSubject, "aboutId" | "lastId">
    & {
      readonly kind: StaffNotificationKind
    }
): ReadonlyArray<Task.Task> =>
  staff
    .filter(({ notify }) => notify)
    .map(({ id }) =>
      Task.make({
        ...task,
        id: ids.uuid(),
        subjectId: [aboutId, id, ...(lastId === undefined ? [] : [lastId])].join(" ")
      })
    )

/** Parses a notification task's subject. */
export const parseStaffNotificationSubject = (
  { subjectId }: Pick<Task.Task, "subjectId">
): StaffNotificationSubject => {
  const [aboutId = "", staffId = "", lastId] = subjectId.split(" ")
  return { aboutId, staffId, lastId }
}

export const isStaffNotificationTask = ({ kind }: Pick<Task.Task, "kind">): boolean =>
  noticeKinds.some((one) => one === kind)
