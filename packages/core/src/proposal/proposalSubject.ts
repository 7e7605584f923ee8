/**
 * What a notification is about: a proposal that the ops agent ran by itself, and who of the staff is told of it. Each is
 * told by a task of their own.
 */

/**
 * @category models
 */
export interface ProposalSubject {
  readonly proposalId: string
  readonly staffId: string
}

/**
 * @category formatting
 */
export const write = ({ proposalId, staffId }: ProposalSubject): string => `${proposalId} ${staffId}`

/**
 * @category parsing
 */
export const read = (subjectId: string): ProposalSubject => {
  const [proposalId = "", staffId = ""] = subjectId.split(" ")
  return { proposalId, staffId }
}
