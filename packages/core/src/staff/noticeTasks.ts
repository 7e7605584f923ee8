/**
 * Tasks that tell the staff of something: one for each person who wants to hear of what
 * happens, so that nobody hears of it twice because another could not be reached.
 */
import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { StaffMember } from "./StaffMember.ts"

/**
 * A guest's message; a disputed payment, a payment that does not match, or a refused refund; and an action of the ops
 * agent.
 *
 * @category models
 */
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * The kinds about a payment, which `aboutId` names.
 *
 * @category constants
 */
export const paymentNoticeKinds = ["mail.dispute", "mail.mismatch", "mail.refund"] as const

const noticeKinds = ["mail.staff", ...paymentNoticeKinds, "mail.proposal"] as const

/**
 * @category models
 */
export interface NoticeSubject {
  /** Of the message, the payment or the proposal. */
  readonly aboutId: string
  /** Who is told. */
  readonly staffId: string
  /** The last message of a notice about several. */
  readonly lastId?: string | undefined
}

/**
 * Those for everybody of `staff` who wants to hear of what happens.
 *
 * @category constructors
 */
export const noticeTasks = (
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

/**
 * What such a task is about.
 *
 * @category parsing
 */
export const noticeSubject = ({ subjectId }: Pick<Task.Task, "subjectId">): NoticeSubject => {
  const [aboutId = "", staffId = "", lastId] = subjectId.split(" ")
  return { aboutId, staffId, lastId }
}

/**
 * @category guards
 */
export const isNotice = ({ kind }: Pick<Task.Task, "kind">): boolean => noticeKinds.some((one) => one === kind)
