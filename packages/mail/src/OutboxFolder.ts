import { Mailer, MailFailed } from "@trailbook/core/mail"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buildMimeMessage, toSafeId } from "./mimeMessage.ts"

export interface OutboxSettings {
  /** The outbox folder. A missing folder is created, even if it is deleted while the server is running. */
  readonly directory: string
  /** The address in `From`, which is combined with the outfitter's name. */
  readonly from: string
  /** The domain for reply addresses and Message-IDs. Default: the domain of `from`. */
  readonly replyDomain?: string | undefined
}

/**
 * A `Mailer` that writes each email to `<time>-<id>.eml` instead of sending it. Mail programs can open these files. The
 * time in the file name is the creation time that the email's ID contains. The files contain personal data, so only
 * their owner can read them (mode 0600, and 0700 for folders that the mailer creates). Files are never deleted
 * automatically.
 *
 * Writes are atomic. A retry overwrites the file from the previous attempt, because the name depends only on the ID.
 * The folder is never listed, so writing an email takes the same time no matter how many files there are.
 *
 * @example
 * import { OutboxFolder } from "@trailbook/mail"
 *
 * const mailer = OutboxFolder.layer({ directory: "outbox", from: "bookings@outfitter.example" })
 */
export const layer = (options: OutboxSettings): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        Effect.gen(function*() {
          const bytes = yield* buildMimeMessage(mail, {
            from: options.from,
            date: yield* currentTime,
            messageDomain: options.replyDomain
          })
          yield* writeAtomically(options.directory, fileName(mail.id), bytes)
          return { reportRequested: false }
        }).pipe(Effect.withSpan("OutboxFolder.send", { attributes: { mail: mail.id } }))
    })
  )

/** Creates the mailer with settings from the program's Effect configuration. */
export const layerConfig = (config: Config.Config.Wrap<OutboxSettings>): Layer.Layer<Mailer, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))

/** Writes a file atomically, replacing any file with the same name. */
const writeAtomically = (directory: string, name: string, bytes: Uint8Array) =>
  Effect.tryPromise({
    try: async () => {
      // The leading dot hides the file from programs that watch the folder. The UUID keeps concurrent writers from
      // using the same file.
      const draftPath = join(directory, `.${randomUUID()}.tmp`)
      try {
        await writeDraftFile(directory, draftPath, bytes)
        await rename(draftPath, join(directory, name))
      } catch (cause) {
        await rm(draftPath, { force: true })
        throw cause
      }
    },
    catch: (cause) =>
      new MailFailed({
        message: `The outbox folder ${directory} is not writable (${
          cause instanceof Error ? cause.message : String(cause)
        }).`,
        permanent: false,
        reason: "storage"
      })
  })

/**
 * Creates the folder only after a write has failed, because a check before each write would cost as much as the write
 * itself.
 */
const writeDraftFile = async (directory: string, draftPath: string, bytes: Uint8Array): Promise<void> => {
  // Flush before the rename. The task is deleted after the write, so the email must survive a crash.
  const writeDraft = () => writeFile(draftPath, bytes, { mode: 0o600, flag: "wx", flush: true })
  try {
    await writeDraft()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeDraft()
  }
}

/**
 * Returns the file name for an email. The name depends only on the ID. Names sort by time, because the first 48 bits of
 * a version 7 UUID are its creation time. For other IDs, the name contains no time.
 */
const fileName = (id: string): string => {
  const name = toSafeId(id)
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(name)
  return match === null ? `${name}.eml` : `${sortable(Number.parseInt(`${match[1]}${match[2]}`, 16))}-${name}.eml`
}

// Windows does not allow colons in file names.
const sortable = (millis: number): string => Instant.format(Instant.make(millis)).replaceAll(":", "-")
