import { Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileName } from "./fileName.ts"
import { message } from "./mimeMessage.ts"

export interface OutboxSettings {
  /** Made when it is missing, also while the service runs. */
  readonly directory: string
  /** The address in `From`, beside the outfitter's name. */
  readonly from: string
  /** The domain that answers go to, which Message-IDs end in; that of `from` when nothing is said. */
  readonly replyDomain?: string | undefined
}

/**
 * A `Mailer` that sends nothing and writes each message into a folder, as
 * `<time>-<id>.eml`, which mail programs open; the time is that of the id, when the
 * mail came to be wanted. The files hold personal data: only the owner can read
 * them (0600, and 0700 for a folder made here), and nothing here ever deletes one.
 *
 * A file appears whole or not at all. A mail that is sent again takes the place
 * of its first file: its name is made of its id alone, so nobody has to look for
 * it, and a mail costs the same however many are there.
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
          const bytes = yield* message(mail, {
            from: options.from,
            date: yield* currentTime,
            messageDomain: options.replyDomain
          })
          yield* write(options.directory, fileName(mail.id), bytes)
          return { reportRequested: false }
        }).pipe(Effect.withSpan("OutboxFolder.send", { attributes: { mail: mail.id } }))
    })
  )

/** The same, with settings that are read from the program's configuration. */
export const layerConfig = (config: Config.Config.Wrap<OutboxSettings>): Layer.Layer<Mailer, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))

/** Writes a file, in the place of one of its name. */
const write = (directory: string, name: string, bytes: Uint8Array) =>
  Effect.tryPromise({
    try: async () => {
      // A leading dot hides it from those who watch the folder; the random part keeps two senders apart.
      const draft = join(directory, `.${randomUUID()}.tmp`)
      try {
        await begin(directory, draft, bytes)
        await rename(draft, join(directory, name))
      } catch (cause) {
        await rm(draft, { force: true })
        throw cause
      }
    },
    catch: (cause) =>
      new MailFailed({
        message: `The outbox folder ${directory} cannot be written (${
          cause instanceof Error ? cause.message : String(cause)
        }).`,
        permanent: false,
        reason: "storage"
      })
  })

/** Makes the folder when it turns out that it is not there: to ask every time costs a mail as much as its file. */
const begin = async (directory: string, draft: string, bytes: Uint8Array): Promise<void> => {
  // Flushed before it gets its name, because the task is forgotten once it has.
  const written = () => writeFile(draft, bytes, { mode: 0o600, flag: "wx", flush: true })
  try {
    await written()
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await written()
  }
}
