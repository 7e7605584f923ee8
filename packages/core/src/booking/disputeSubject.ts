/**
 * What a notification of a dispute is about: a payment, and who of the staff is told
 * of it. Each is told by a task of their own.
 */

/**
 * @category models
 */
export interface DisputeSubject {
  readonly paymentId: string
  readonly staffId: string
}

/**
 * @category formatting
 */
export const write = ({ paymentId, staffId }: DisputeSubject): string => `${paymentId} ${staffId}`

/**
 * @category parsing
 */
export const read = (subjectId: string): DisputeSubject => {
  const [paymentId = "", staffId = ""] = subjectId.split(" ")
  return { paymentId, staffId }
}
