import type { Instant } from "../time/Instant.ts"
import type { FileType } from "./FileType.ts"

/** A file that was uploaded or arrived by email. Its bytes are in `Files`, under {@link storageKey}. */
export interface StoredFile {
  readonly id: string
  readonly orgId: string
  /** The name that the sender gave the file. It has up to 1,000 characters and is only used for display. */
  readonly name: string
  /** The stored size in bytes. */
  readonly size: number
  /** The type, which is detected from the bytes. The declared type is not trusted. */
  readonly type: FileType
  readonly createdAt: Instant
  /** The message that uses the file, or null. */
  readonly messageId: string | null
  /** The position among the message's files, starting at 0. */
  readonly position: number
}

/** The maximum file size in bytes. */
export const maxFileBytes = 10 * 1024 * 1024

/** The maximum number of files per message. */
export const maxFilesOfMessage = 5

/** The maximum length of a file name, in characters. */
export const maxNameLength = 1000

/** How long a file without a message is kept. */
export const unusedHours = 24

/**
 * Returns a file's storage key. It consists only of IDs, so it is safe in paths and URLs and contains no personal data.
 */
export const storageKey = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => `${orgId}/${id}`
