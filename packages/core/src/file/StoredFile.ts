import type { Instant } from "../time/Instant.ts"
import type { FileType } from "./FileType.ts"

/**
 * A file that was uploaded or came by mail. Its bytes are in `Files`, under
 * {@link storageKey} it.
 *
 * @category models
 */
export interface StoredFile {
  readonly id: string
  readonly orgId: string
  /** As its sender calls it, for people; up to 1,000 characters. Nothing is found by it. */
  readonly name: string
  /** Bytes, as they are kept. */
  readonly size: number
  /** What its bytes say, whatever its sender said. */
  readonly type: FileType
  readonly createdAt: Instant
  /** The message that it belongs to; null while it belongs to none. */
  readonly messageId: string | null
  /** Its place among the files of its message, from 0. */
  readonly position: number
}

/**
 * How large a file may be, in bytes.
 *
 * @category constants
 */
export const maxFileBytes = 10 * 1024 * 1024

/**
 * How many files a message may have.
 *
 * @category constants
 */
export const maxFilesOfMessage = 5

/**
 * How many characters the name of a file may have.
 *
 * @category constants
 */
export const maxNameLength = 1000

/**
 * How long a file that no message uses is kept.
 *
 * @category constants
 */
export const unusedHours = 24

/**
 * Where the bytes of a file are. It is made of ids alone, so it fits into a path
 * and an address, and tells nothing of a person.
 *
 * @category getters
 */
export const storageKey = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => `${orgId}/${id}`
