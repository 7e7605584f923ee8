import type { Instant } from "../time/Instant.ts"
import type { FileType } from "./FileType.ts"

/** A file that was uploaded or arrived by email. Its bytes are in `Files`, under {@link storageKey}. */
export interface StoredFile {
  readonly id: string
  readonly orgId: string
  /** The name given by the sender, for display only; up to 1,000 characters. */
  readonly name: string
  /** Size of the stored bytes. */
  readonly size: number
  /** Detected from the bytes, independent of the declared type. */
  readonly type: FileType
  readonly createdAt: Instant
  /** The message that uses it, or null. */
  readonly messageId: string | null
  /** The position among the files of its message, starting at 0. */
  readonly position: number
}

/** Maximum size of a file, in bytes. */
export const maxFileBytes = 10 * 1024 * 1024

/** Maximum number of files per message. */
export const maxFilesOfMessage = 5

/** Maximum length of a file name, in characters. */
export const maxNameLength = 1000

/** How long a file without a message is kept. */
export const unusedHours = 24

/**
 * The storage key of a file. It consists of IDs only, so it is safe in paths and URLs and contains no personal data.
 */
export const storageKey = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => `${orgId}/${id}`
