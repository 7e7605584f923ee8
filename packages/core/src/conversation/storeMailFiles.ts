import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Attachments } from "../file/Attachments.ts"
import { Files } from "../file/Files.ts"
import { maxFilesOfMessage } from "../file/StoredFile.ts"
import type { ParsedMail } from "./InboundMail.ts"
import type { AttachmentRef } from "./loadAttachments.ts"

/** An email after its files were stored. */
export interface StoredFiles {
  readonly body: string
  /** The files that could not be stored, as text. */
  readonly lost: ReadonlyArray<string>
  readonly files: ReadonlyArray<AttachmentRef>
}

/** Stores the files of an email, outside of transactions, and lists those that cannot be stored. */
export const makeStoreMailFiles = Effect.gen(function*() {
  const attachments = Option.zipLeft(
    yield* Effect.serviceOption(Attachments),
    Option.filter(yield* Effect.serviceOption(Files), (files) => !Files.isNowhere(files))
  )

  return (orgId: string, { body, files }: ParsedMail): Effect.Effect<StoredFiles> =>
    Effect.gen(function*() {
      const kept: Array<AttachmentRef> = []
      const lost: Array<string> = []
      for (const [at, { bytes, name }] of files.entries()) {
        const file = Option.isNone(attachments) || at >= maxFilesOfMessage
          ? Either.left("file storage is not configured")
          : yield* Effect.either(
            attachments.value.keep({ orgId, name, bytes }).pipe(
              // Fails the delivery while file storage is unavailable, so that the sending server retries.
              Effect.catchIf(({ code }) => code === "unavailable", Effect.die),
              Effect.mapError(({ message }) => message)
            )
          )
        if (Either.isRight(file)) kept.push({ id: file.right.id, name: file.right.name })
        else lost.push(`[${name || "A file"} was not stored: ${file.left}]`)
      }
      return { files: kept, body, lost }
    })
})
