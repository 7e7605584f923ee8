import type { Instant } from "../../time/Instant.ts"

/** A reusable text with variables. */
export interface SavedReply {
  readonly id: string
  readonly orgId: string
  /** The title in the list of replies. */
  readonly title: string
  readonly body: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type SavedReplyPatch = Partial<Pick<SavedReply, "title" | "body">>
