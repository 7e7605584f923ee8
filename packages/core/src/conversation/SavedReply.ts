import type { Instant } from "../time/Instant.ts"

/**
 * Words that the outfitter says often, with variables for what differs.
 *
 * @category models
 */
export interface SavedReply {
  readonly id: string
  readonly orgId: string
  /** What the outfitter picks it by. */
  readonly title: string
  readonly body: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/**
 * @category models
 */
export type SavedReplyPatch = Partial<Pick<SavedReply, "title" | "body">>
