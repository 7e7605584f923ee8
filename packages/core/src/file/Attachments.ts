/**
 * Files on their way in and out. A file is uploaded first, or comes with a mail, and
 * a message uses it then (`attachFiles`). One that no message uses is gone after a day.
 *
 * Its row is there before its bytes: should the process die in between, the row
 * leads to whatever was kept of it, and both go as unused ones do. Bytes without a row
 * would stay for ever.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { Ids } from "../port/Ids.ts"
import { orNotFound } from "../port/orNotFound.ts"
import { invalid, notFound, type Refusal, refuse, unavailable } from "../Refusal.ts"
import { currentTime } from "../time/currentTime.ts"
import { detectFileType } from "./detectFileType.ts"
import { fileName, isTooLong } from "./fileName.ts"
import { Files, type FilesFailed } from "./Files.ts"
import { FileStore } from "./FileStore.ts"
import { type CleanerFailed, PictureCleaner } from "./PictureCleaner.ts"
import { maxFileBytes, maxNameLength, storageKey, type StoredFile } from "./StoredFile.ts"

/**
 * A file, with its bytes piece by piece. Who has it reads it to its end or cancels it.
 *
 * @category models
 */
export interface OpenedFile {
  readonly file: StoredFile
  readonly content: ReadableStream<Uint8Array>
}

/**
 * @category services
 */
export class Attachments extends Context.Tag("@trailbook/core/Attachments")<
  Attachments,
  {
    /**
     * Keeps a file: one of the types that may be, and up to 10 MiB. It is a day's until a message
     * uses it. Of a picture what tells about people is left out, for which the bytes given are
     * changed or handed over. Ended early, it leaves nothing.
     */
    readonly keep: (given: {
      readonly orgId: string
      /** What its sender calls it. It may be a path, or nothing. */
      readonly name: string
      readonly bytes: Uint8Array
    }) => Effect.Effect<
      StoredFile,
      Refusal<"invalid_request" | "too_large" | "unsupported_type" | "unavailable">
    >
    /** What is known of a file. */
    readonly find: (key: OrgKey) => Effect.Effect<StoredFile, Refusal<"not_found">>
    readonly open: (key: OrgKey) => Effect.Effect<OpenedFile, Refusal<"not_found" | "unavailable">>
  }
>() {
  static readonly layer = Layer.effect(
    Attachments,
    Effect.gen(function*() {
      const { clean } = yield* PictureCleaner.orInline
      const files = yield* Files
      const ids = yield* Ids
      const store = yield* FileStore

      const find = (key: OrgKey) => Effect.flatMap(store.find(key), orNotFound("attachment", key.id))

      /** What was begun is taken back; what cannot be is found by its row after a day. */
      const takeBack = (file: StoredFile) =>
        files.remove(storageKey(file)).pipe(
          Effect.zipRight(store.discard(file)),
          Effect.catchAllCause((cause) => Effect.logWarning("What was begun of a file is left for a day.", cause))
        )

      return Attachments.of({
        keep: ({ bytes, name, orgId }) =>
          Effect.gen(function*() {
            if (bytes.byteLength > maxFileBytes) return yield* tooLarge
            const type = detectFileType(bytes)
            if (type === undefined) return yield* refuse("unsupported_type")
            const called = fileName(name, type)
            if (isTooLong(called)) return yield* invalid(`name: must be at most ${maxNameLength} characters long`)
            const cleaned = yield* Effect.catchAll(clean(type, bytes), away)
            if (cleaned === undefined) return yield* invalid(`file: is broken and cannot be read as ${type}`)
            const file: StoredFile = {
              id: ids.uuid(),
              orgId,
              name: called,
              size: cleaned.byteLength,
              type,
              createdAt: yield* currentTime,
              messageId: null,
              position: 0
            }
            yield* Effect.onError(
              Effect.zipRight(store.add(file), Effect.catchAll(files.put(storageKey(file), cleaned), away)),
              () => takeBack(file)
            )
            return file
          }),
        find,
        open: (key) =>
          Effect.gen(function*() {
            const file = yield* find(key)
            const content = yield* Effect.catchAll(files.get(storageKey(file)), away)
            if (Option.isSome(content)) return { file, content: content.value }
            yield* Effect.logError("The bytes of a file are not there.").pipe(
              Effect.annotateLogs({ file: file.id, org_id: file.orgId })
            )
            return yield* notFound("attachment", key.id)
          })
      })
    })
  )
}

/**
 * Why a file of more than 10 MiB is refused, wherever it is counted.
 *
 * @category errors
 */
export const tooLarge = refuse("too_large", `A file must be at most 10 MB long, ${maxFileBytes} bytes.`)

const away = ({ message }: FilesFailed | CleanerFailed): Effect.Effect<never, Refusal<"unavailable">> =>
  Effect.zipRight(
    Effect.annotateLogs(Effect.logWarning("Files cannot be reached."), { error: message }),
    unavailable("Files cannot be reached now. Send the same request again.")
  )
