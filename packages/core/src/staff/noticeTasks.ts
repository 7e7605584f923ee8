/**
 * Tasks that tell the staff of something: one for each person who wants to hear of what
 * happens, so that nobody hears of it twice because another could not be reached.
 */
import type { Ids } from "../port/Ids.ts"
import * as Task from "../task/Task.ts"
import type { StaffMember } from "./StaffMember.ts"

/**
 * That a guest has written, that a payment is disputed, and what the ops agent has done by itself.
 *
 * @category models
 */
export type NoticeKind = "mail.staff" | "mail.dispute" | "mail.proposal"

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
export const isNotice = ({ kind }: Pick<Task.Task, "kind">): boolean =>
  kind === "mail.staff" || kind === "mail.dispute" || kind === "mail.proposal"
