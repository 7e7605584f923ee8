/**
 * What a notification is about: a message, and who of the staff is told of it. Each
 * is told by a task of their own, so that nobody hears of it twice because another
 * could not be reached.
 */

/**
 * @category models
 */
export interface StaffSubject {
  readonly messageId: string
  readonly staffId: string
}

/**
 * @category formatting
 */
export const write = ({ messageId, staffId }: StaffSubject): string => `${messageId} ${staffId}`

/**
 * @category parsing
 */
export const read = (subjectId: string): StaffSubject => {
  const [messageId = "", staffId = ""] = subjectId.split(" ")
  return { messageId, staffId }
}
