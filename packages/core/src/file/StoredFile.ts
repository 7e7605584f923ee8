import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Instant } from "../time/Instant.ts"
import { withDescription } from "../wire/Field.ts"
import { exampleIds, Id, Integer } from "../wire/View.ts"

/** A file that was uploaded or arrived by email. Its bytes are in `Files`, under {@link toStorageKey}. */
export interface StoredFile {
  readonly id: string
  readonly orgId: string
  /** The name that the sender gave the file. It has up to 1,000 characters and is used only for display. */
  readonly name: string
  /** The stored size in bytes. */
  readonly size: number
  /** The type detected from the bytes. The declared type is not trusted. */
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
export const maxFilesPerMessage = 5

/** The maximum length of a file name, in characters. */
export const maxFileNameLength = 1000

/** How long a file without a message is kept. */
export const unusedFileRetentionHours = 24

/**
 * Returns a file's storage key. It consists only of IDs, so it is safe in paths and URLs and contains no personal data.
 */
export const toStorageKey = ({ id, orgId }: Pick<StoredFile, "id" | "orgId">): string => `${orgId}/${id}`

/** The allowed file types: common photo and document types that browsers do not execute. */
export const fileTypes = {
  "image/jpeg": { extension: "jpg", shown: true },
  "image/png": { extension: "png", shown: true },
  "image/webp": { extension: "webp", shown: true },
  // Few browsers display HEIC.
  "image/heic": { extension: "heic", shown: false },
  // A PDF can contain scripts and links, so it opens in a separate program.
  "application/pdf": { extension: "pdf", shown: false }
} as const

export type FileType = keyof typeof fileTypes

/** Returns whether a browser displays the file inside a page. Other files are downloaded. */
export const isShownInline = (type: FileType): boolean => fileTypes[type].shown

/** Stores file metadata. `Files` stores the bytes. */
export class FileStore extends Context.Tag("@trailbook/core/FileStore")<
  FileStore,
  {
    /** Stores a new file. Dies if the ID already exists or the org does not. */
    readonly add: (file: StoredFile) => Effect.Effect<void>
    readonly find: (key: OrgKey) => Effect.Effect<Option.Option<StoredFile>>
    /** Finds the existing files with these IDs in an org, and locks them in ID order until the transaction ends. */
    readonly lock: (orgId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Sets the files' message, names, and positions. The caller must have locked the files. */
    readonly use: (files: ReadonlyArray<StoredFile>) => Effect.Effect<void>
    /** Returns the files for messages in an org, grouped by message and sorted by position. */
    readonly ofMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes the files for messages and returns them. */
    readonly removeOfMessages: (
      orgId: string,
      messageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredFile>>
    /**
     * Deletes unused files across all orgs, and returns them. A file is unused if it belongs to no message and was
     * created at or before `madeBefore`. Deletes at most `limit` files, oldest first, and skips locked files.
     */
    readonly removeUnused: (madeBefore: Instant, limit: number) => Effect.Effect<ReadonlyArray<StoredFile>>
    /** Deletes a file that no message uses. */
    readonly discard: (key: OrgKey) => Effect.Effect<void>
  }
>() {}

/** The API representation of a file in a message. */
export const AttachmentView = Schema.Struct({
  id: withDescription(
    "the attachment ID. Download the file from `/api/attachments/{id}`",
    Id,
    exampleIds.attachment
  ),
  name: withDescription("the file name given by the sender", Schema.String, "put-in.jpg"),
  size: withDescription("in bytes", Integer, 182044),
  type: withDescription("the media type, detected from the content", Schema.String, "image/jpeg")
}).annotations({ identifier: "Attachment" })

export type AttachmentView = typeof AttachmentView.Type

export const attachmentView = ({ id, name, size, type }: StoredFile): AttachmentView => ({ id, name, size, type })

/**
 * The error when the file storage is unreachable or fails. A retry may succeed. The message is written to the log, so
 * it must not contain keys or guests' addresses.
 */
export class FilesFailed extends Data.TaggedError("FilesFailed")<{
  readonly message: string
}> {}

/**
 * Stores file contents. An implementation can use a folder, object storage, or the host application's storage. Keys
 * consist of lowercase letters, digits, `-`, and `/`.
 *
 * The storage is called outside transactions. The database contains the file metadata, so the storage does not need to
 * list its files.
 */
export class Files extends Context.Tag("@trailbook/core/Files")<
  Files,
  {
    /**
     * Stores bytes under a key, and replaces any existing bytes. The write is atomic, even for concurrent readers, and
     * durable when the call returns. After a failure or an interruption, the storage contains either the previous or
     * the complete new bytes.
     */
    readonly put: (key: string, bytes: Uint8Array) => Effect.Effect<void, FilesFailed>
    /** Returns the bytes as a stream. The caller must read the stream to its end or cancel it. */
    readonly get: (key: string) => Effect.Effect<Option.Option<ReadableStream<Uint8Array>>, FilesFailed>
    /** Deletes bytes. The call is idempotent. */
    readonly remove: (key: string) => Effect.Effect<void, FilesFailed>
  }
>() {
  /** A service without storage: writes fail, and no file exists. */
  static readonly layerNone = Layer.sync(Files, () => nowhere)

  /** Returns whether no file storage is configured. */
  static readonly isNowhere = (files: Files["Type"]): boolean => files === nowhere
}

const nowhere: Files["Type"] = {
  put: () => new FilesFailed({ message: "File storage is not configured." }),
  get: () => Effect.succeed(Option.none()),
  remove: () => Effect.void
}
