/**
 * Stores and reads files. A file is uploaded or arrives by email, and is then attached to a message (`attachFiles`). A
 * file without a message is deleted after a day.
 *
 * The row is stored before the bytes. If the process crashes in between, the row still references any stored bytes, and
 * both are deleted like any unused file. Without the row, the bytes would never be deleted.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, notFound, type Refusal, refuse, unavailable } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { hasTextAt, readName } from "./pictureBytes.ts"
import {
  Files,
  type FilesFailed,
  FileStore,
  type FileType,
  fileTypes,
  maxFileBytes,
  maxFileNameLength,
  type StoredFile,
  toStorageKey,
  unusedFileRetentionHours
} from "./StoredFile.ts"
import { stripMetadata } from "./stripMetadata.ts"

/** A file with its content as a stream. The caller must read the stream to its end or cancel it. */
export interface OpenedFile {
  readonly file: StoredFile
  readonly content: ReadableStream<Uint8Array>
}

export class Attachments extends Context.Tag("@trailbook/core/Attachments")<
  Attachments,
  {
    /**
     * Stores a file with an allowed type, up to 10 MiB. If no message uses the file, it is deleted after a day. `bytes`
     * cannot be used afterward, because removing picture metadata modifies or transfers it. If the call is interrupted,
     * nothing is stored.
     */
    readonly keep: (input: {
      readonly orgId: string
      /** The name that the sender gave the file. It can be a path or empty. */
      readonly name: string
      readonly bytes: Uint8Array
    }) => Effect.Effect<
      StoredFile,
      Refusal<"invalid_request" | "too_large" | "unsupported_type" | "unavailable">
    >
    /** Finds a file's metadata. */
    readonly find: (key: OrgKey) => Effect.Effect<StoredFile, Refusal<"not_found">>
    readonly open: (key: OrgKey) => Effect.Effect<OpenedFile, Refusal<"not_found" | "unavailable">>
  }
>() {
  static readonly layer = Layer.effect(Attachments, Effect.suspend(() => makeAttachments))
}

const makeAttachments = Effect.gen(function*() {
  const { clean } = yield* FileSanitizer.orInline
  const files = yield* Files
  const ids = yield* Ids
  const store = yield* FileStore

  const find = (key: OrgKey) => Effect.flatMap(store.find(key), failIfNotFound("attachment", key.id))

  /**
   * Removes a partially stored file. If the removal fails, a cleanup finds the row and deletes the file after a
   * day.
   */
  const removeIncomplete = (file: StoredFile) =>
    files.remove(toStorageKey(file)).pipe(
      Effect.zipRight(store.discard(file)),
      Effect.catchAllCause((cause) =>
        Effect.logWarning("Could not remove an incomplete file, retrying in a day", cause)
      )
    )

  return Attachments.of({
    keep: ({ bytes, name, orgId }) =>
      Effect.gen(function*() {
        if (bytes.byteLength > maxFileBytes) return yield* fileTooLargeRefusal
        const type = detectFileType(bytes)
        if (type === undefined) return yield* refuse("unsupported_type")
        const normalizedName = normalizeName(name, type)
        if (isTooLong(normalizedName)) {
          return yield* invalid(`name: must be at most ${maxFileNameLength} characters long`)
        }
        const cleanedBytes = yield* Effect.catchAll(clean(type, bytes), refuseUnavailable)
        if (cleanedBytes === undefined) return yield* invalid(`file: is damaged and cannot be read as ${type}`)
        const file: StoredFile = {
          id: ids.uuid(),
          orgId,
          name: normalizedName,
          size: cleanedBytes.byteLength,
          type,
          createdAt: yield* currentTime,
          messageId: null,
          position: 0
        }
        yield* Effect.onError(
          Effect.zipRight(
            store.add(file),
            Effect.catchAll(files.put(toStorageKey(file), cleanedBytes), refuseUnavailable)
          ),
          () => removeIncomplete(file)
        )
        return file
      }),
    find,
    open: (key) =>
      Effect.gen(function*() {
        const file = yield* find(key)
        const content = yield* Effect.catchAll(files.get(toStorageKey(file)), refuseUnavailable)
        if (Option.isSome(content)) return { file, content: content.value }
        yield* Effect.logError("A file is missing from file storage").pipe(
          Effect.annotateLogs({ file: file.id, org_id: file.orgId })
        )
        return yield* notFound("attachment", key.id)
      })
  })
})

/** The error for files over 10 MiB. */
export const fileTooLargeRefusal = refuse("too_large", `A file must be at most 10 MB (${maxFileBytes} bytes).`)

const refuseUnavailable = ({ message }: FilesFailed | SanitizerFailed): Effect.Effect<never, Refusal<"unavailable">> =>
  Effect.zipRight(
    Effect.annotateLogs(Effect.logWarning("File storage is unreachable"), { error: message }),
    unavailable("File storage is unavailable. Retry the request.")
  )

/**
 * Detects the type of a file from its first bytes. Returns undefined for types that are not allowed. The name and the
 * declared type are not trusted.
 */
export const detectFileType = (bytes: Uint8Array): FileType | undefined => {
  // The byte F7 marks JPEG-LS, which browsers do not display.
  if (hasTextAt(bytes, 0, "\xff\xd8\xff")) return bytes[3] === 0xf7 ? undefined : "image/jpeg"
  if (hasTextAt(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (hasTextAt(bytes, 0, "RIFF") && hasTextAt(bytes, 8, "WEBP")) return "image/webp"
  if (hasTextAt(bytes, 0, "%PDF-")) return "application/pdf"
  return isHeic(bytes) ? "image/heic" : undefined
}

/**
 * Returns whether a file is a HEIC picture. The container's first box lists its brands. Several picture formats, such
 * as AVIF, share the container, and some list a generic brand (`mif1`) first, so all brands are checked.
 */
const isHeic = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || !hasTextAt(bytes, 4, "ftyp")) return false
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, maxBrandBoxBytes)
  const first = readName(bytes, 8)
  const brands = new Set([first])
  for (let at = 16; at + 4 <= end; at += 4) brands.add(readName(bytes, at))
  return (first === "mif1" || heicBrands.includes(first)) && heicBrands.some((brand) => brands.has(brand)) &&
    !["avif", "avis"].some((brand) => brands.has(brand))
}

const heicBrands = ["heic", "heix", "heim", "heis"]

/** The maximum length of the box that lists the brands. Real files list about eight brands. */
const maxBrandBoxBytes = 512

/**
 * Normalizes a file name. Returns the last path segment, without invisible characters. An empty name is replaced with a
 * default.
 */
const normalizeName = (rawName: string, type: FileType): string => {
  const last = rawName.toWellFormed().replace(/^.*[/\\]/s, "").replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "")
    .trim()
  return last === "" || /^\.+$/.test(last) ? `file.${fileTypes[type].extension}` : last
}

/** Returns whether a name exceeds the maximum length. */
const isTooLong = (name: string): boolean => name.length > 2 * maxFileNameLength || [...name].length > maxFileNameLength

/** The error when the cleaner returns no result. A retry may succeed. */
export class SanitizerFailed extends Data.TaggedError("SanitizerFailed")<{
  readonly message: string
}> {}

/**
 * Removes metadata from files outside the thread that handles requests. By default, files are cleaned in that thread,
 * which takes about 15 ms for 10 MiB.
 */
export class FileSanitizer extends Context.Tag("@trailbook/core/FileSanitizer")<
  FileSanitizer,
  {
    /** Returns the cleaned file, or undefined if the file is malformed. The caller must not use `bytes` afterward. */
    readonly clean: (type: FileType, bytes: Uint8Array) => Effect.Effect<Uint8Array | undefined, SanitizerFailed>
  }
>() {
  /** Uses the host application's cleaner, or a cleaner that runs in this thread. */
  static readonly orInline = Effect.map(
    Effect.serviceOption(FileSanitizer),
    Option.getOrElse((): FileSanitizer["Type"] => ({
      clean: (type, bytes) => Effect.sync(() => stripMetadata(type, bytes))
    }))
  )
}

/**
 * Attaches files to a message, with these names and in this order, in the transaction that writes the message. The
 * files are locked after conversations and messages. The call is idempotent for the same message. Rejects a file that
 * belongs to another message or is listed twice.
 */
export const attachFiles = (store: FileStore["Type"]) =>
(
  orgId: string,
  attachments: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  messageId: string
): Effect.Effect<ReadonlyArray<StoredFile>, Refusal<"not_found" | "attachment_used">> =>
  Effect.gen(function*() {
    if (attachments.length === 0) return []
    const filesById = new Map(
      (yield* store.lock(orgId, attachments.map(({ id }) => id))).map((file) => [file.id, file])
    )
    const attachedFiles: Array<StoredFile> = []
    for (const { id, name } of attachments) {
      const file = filesById.get(id)
      if (file === undefined) return yield* notFound("attachment", id)
      const isFree = file.messageId === null || file.messageId === messageId
      if (!isFree || attachedFiles.some((other) => other.id === id)) return yield* refuse("attachment_used", id)
      attachedFiles.push({ ...file, name, messageId, position: attachedFiles.length })
    }
    yield* store.use(attachedFiles)
    return attachedFiles
  })

/** Deletes uploaded files that no message uses a day after the upload. */
export class OrphanedFiles extends Context.Tag("@trailbook/core/OrphanedFiles")<
  OrphanedFiles,
  {
    /** Deletes up to `limit` of these files and returns how many were deleted. Tasks delete the bytes. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(OrphanedFiles, Effect.suspend(() => makeOrphanedFiles))
}

const makeOrphanedFiles = Effect.gen(function*() {
  const files = yield* FileStore
  const ids = yield* Ids
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork
  return OrphanedFiles.of({
    sweep: (limit) =>
      run(Effect.gen(function*() {
        const now = yield* currentTime
        const removedFiles = yield* files.removeUnused(Instant.addMinutes(now, -60 * unusedFileRetentionHours), limit)
        yield* tasks.add(makeFileRemovalTasks(ids, removedFiles, now))
        return removedFiles.length
      }))
  })
})

/**
 * Creates the tasks that delete the bytes of removed files after the commit. The caller must add the tasks in the
 * transaction that removes the rows.
 */
export const makeFileRemovalTasks = (
  ids: Ids["Type"],
  files: ReadonlyArray<Pick<StoredFile, "id" | "orgId">>,
  now: Instant.Instant
): ReadonlyArray<Task.Task> =>
  files.map(({ id, orgId }) => Task.make({ id: ids.uuid(), orgId, kind: "file.remove", subjectId: id, dueAt: now }))
