/**
 * @since 0.1.0
 */
import { Mailer, MailFailed } from "@trailbook/core/mail/Mailer"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileId } from "./fileId.ts"
import { message } from "./message.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface OutboxSettings {
  /** Made when it is missing, also while the service runs. */
  readonly directory: string
  /** The address in `From`, beside the outfitter's name. */
  readonly from: string
}

/**
 * A `Mailer` that sends nothing and writes each message into a folder, as
 * `<time>-<subject>-<id>.eml`, which mail programs open. The files hold personal
 * data: only the owner can read them (0600, and 0700 for a folder made here), and
 * nothing here ever deletes one.
 *
 * A file appears whole or not at all. A mail that is sent again takes the place
 * of its first file.
 *
 * @example
 * import { OutboxFolder } from "@trailbook/mail"
 *
 * const mailer = OutboxFolder.layer({ directory: "outbox", from: "bookings@outfitter.example" })
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: OutboxSettings): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: (mail) =>
        Effect.gen(function*() {
          const now = yield* moment
          const bytes = yield* message(mail, { from: options.from, date: now })
          const ending = `-${fileId(mail.id)}.eml`
          yield* write(options.directory, ending, `${sortable(now)}-${slug(mail.subject)}${ending}`, bytes)
        }).pipe(Effect.withSpan("OutboxFolder.send", { attributes: { mail: mail.id } }))
    })
  )

/**
 * The same, with settings that are read from the program's configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (config: Config.Config.Wrap<OutboxSettings>): Layer.Layer<Mailer, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(config), layer))

/** Writes a file under the name of the one that ends so, or else under a new name. */
const write = (directory: string, ending: string, newName: string, bytes: Uint8Array) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const known = (await readdir(directory)).find((name) => name.endsWith(ending))
      // A leading dot hides it from those who watch the folder; the random part keeps two senders apart.
      const draft = join(directory, `.${randomUUID()}.tmp`)
      try {
        // Flushed before it gets its name, because the errand is forgotten once it has.
        await writeFile(draft, bytes, { mode: 0o600, flag: "wx", flush: true })
        await rename(draft, join(directory, known ?? newName))
      } catch (cause) {
        await rm(draft, { force: true })
        throw cause
      }
    },
    catch: (cause) =>
      new MailFailed({
        message: `The outbox folder ${directory} cannot be written (${
          cause instanceof Error ? cause.message : String(cause)
        }).`
      })
  })

// Windows allows no colon in a file's name.
const sortable = (instant: Instant.Instant): string => Instant.format(instant).replaceAll(":", "-")

const slug = (subject: string): string =>
  subject.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").slice(0, 60)
    .replace(/^-|-$/g, "") || "mail"
