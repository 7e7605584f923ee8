import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Attachments } from "../file/Attachments.ts"
import { Files } from "../file/Files.ts"
import { maxFilesOfMessage } from "../file/StoredFile.ts"
import type { ParsedMail } from "./InboundMail.ts"
import type { AttachmentRef } from "./loadAttachments.ts"

/**
 * What is left of a mail once its files are kept.
 *
 * @category models
 */
export interface StoredFiles {
  readonly body: string
  /** What could not be kept, in words. */
  readonly lost: ReadonlyArray<string>
  readonly files: ReadonlyArray<AttachmentRef>
}

/**
 * Keeps the files of a mail, outside of any unit of work, and names those that cannot be kept.
 *
 * @category effects
 */
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
          ? Either.left("there is no place for it")
          : yield* Effect.either(
            attachments.value.keep({ orgId, name, bytes }).pipe(
              // Who sends the mail keeps it until there is.
              Effect.catchIf(({ code }) => code === "unavailable", Effect.die),
              Effect.mapError(({ message }) => message)
            )
          )
        if (Either.isRight(file)) kept.push({ id: file.right.id, name: file.right.name })
        else lost.push(`[${name || "A file"} was not kept: ${file.left}]`)
      }
      return { files: kept, body, lost }
    })
})
