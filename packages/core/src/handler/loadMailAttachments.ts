import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Files } from "../file/Files.ts"
import { FileStore, type StoredFile, toStorageKey } from "../file/StoredFile.ts"
import type { MailAttachment } from "../mail/Mailer.ts"
import { toSingleLine } from "../mail/toSingleLine.ts"
import * as Handler from "../task/Handler.ts"

/** The maximum total size of attachments. Mail servers reject larger emails. */
const maxTogetherBytes = 7 * 1024 * 1024

/** The files to attach to an email. */
export interface LoadedAttachments {
  readonly attachments: ReadonlyArray<MailAttachment>
  /** Files too large to attach. */
  readonly omittedFiles: ReadonlyArray<StoredFile>
}

/** Reads the message files that fit into an email, up to 7 MiB in total. */
export const makeLoadMailAttachments = Effect.gen(function*() {
  const files = yield* Files
  const store = yield* FileStore

  return (orgId: string, messageIds: ReadonlyArray<string>): Effect.Effect<LoadedAttachments, Handler.TaskFailed> =>
    Effect.gen(function*() {
      const attachments: Array<MailAttachment> = []
      const omittedFiles: Array<StoredFile> = []
      let bytesLeft = maxTogetherBytes
      for (const file of yield* store.ofMessages(orgId, messageIds)) {
        if (file.size > bytesLeft) {
          omittedFiles.push(file)
          continue
        }
        const content = yield* Effect.mapError(
          files.get(toStorageKey(file)),
          ({ message }) => new Handler.TaskFailed({ message, permanent: false })
        )
        if (Option.isNone(content)) continue
        bytesLeft -= file.size
        attachments.push({ name: toSingleLine(file.name), type: file.type, content: yield* bytesOf(content.value) })
      }
      return { attachments, omittedFiles }
    })
})

const bytesOf = (content: ReadableStream<Uint8Array>): Effect.Effect<Uint8Array, Handler.TaskFailed> =>
  Effect.tryPromise({
    try: async () => new Uint8Array(await new Response(content).arrayBuffer()),
    catch: () => new Handler.TaskFailed({ message: "An attachment could not be read.", permanent: false })
  })
