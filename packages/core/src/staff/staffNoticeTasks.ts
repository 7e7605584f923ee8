/**
 * Creates the tasks that notify staff. Each recipient gets a separate task, so that retrying a failed delivery does not
 * notify the others again.
 */
import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { StaffMember } from "./StaffMember.ts"

/**
 * The kinds of notifications: a guest's message, a disputed payment, a mismatched payment, a refused refund, or an
 * action by the ops agent.
 */
export type NoticeKind = (typeof noticeKinds)[number]

/** The kinds for which `aboutId` identifies a payment. */
export const paymentNoticeKinds = ["mail.dispute", "mail.mismatch", "mail.refund"] as const

const noticeKinds = ["mail.staff", ...paymentNoticeKinds, "mail.proposal"] as const

export interface NoticeSubject {
  /** The ID of the message, payment, or proposal. */
  readonly aboutId: string
  /** The recipient. */
  readonly staffId: string
  /** The last message, if the notification covers several. */
  readonly lastId?: string | undefined
}

/** Returns one task for each member of `staff` who has notifications turned on. */
export const makeStaffNoticeTasks = (
  ids: Ids["Type"],
  staff: ReadonlyArray<StaffMember>,
  { aboutId, lastId, ...task }: Pick<Task.Task, "dueAt" | "orgId"> & Pick<NoticeSubject, "aboutId" | "lastId"> & {
    readonly kind: NoticeKind
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
export const parseNoticeSubject = ({ subjectId }: Pick<Task.Task, "subjectId">): NoticeSubject => {
  const [aboutId = "", staffId = "", lastId] = subjectId.split(" ")
  return { aboutId, staffId, lastId }
}

export const isNoticeTask = ({ kind }: Pick<Task.Task, "kind">): boolean => noticeKinds.some((one) => one === kind)
