import { Mailer } from "@trailbook/core/mail/Mailer"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { countMailFailure } from "./metrics.ts"
import { outboxLayer } from "./outboxLayer.ts"

/** The settings for outgoing mail. */
export interface MailSettings {
  readonly database: DatabaseUrl
  readonly outbox: string | undefined
  readonly mailFrom: string
  readonly smtpUrl?: string | undefined
  readonly replyDomain?: string | undefined
  readonly dkimKey?: string | undefined
  readonly dkimSelector?: string | undefined
}

/** Sends mail by SMTP if a server is set. Otherwise writes it to the outbox folder. Counts failures in the metrics. */
export const mailerLayer = (settings: MailSettings): Layer.Layer<Mailer, Failure> =>
  Layer.map(makeMailerLayer(settings), (services) => {
    const { send } = Context.get(services, Mailer)
    return Context.make(Mailer, { send: (mail) => Effect.tapError(send(mail), countMailFailure) })
  })

const makeMailerLayer = (settings: MailSettings): Layer.Layer<Mailer, Failure> => {
  const { mailFrom: from, replyDomain, smtpUrl } = settings
  if (smtpUrl === undefined) return OutboxFolder.layer({ directory: outboxLayer(settings), from, replyDomain })
  return Layer.unwrapEffect(Effect.gen(function*() {
    const dkim = yield* loadDkim(settings)
    // Load the module on demand, because a server that writes mail to files does not need it.
    const Smtp = yield* Effect.promise(() => import("@trailbook/mail/Smtp"))
    return Smtp.layer({ url: Redacted.make(smtpUrl), from, replyDomain, dkim })
  }))
}

/** Loads the DKIM private key from its file. */
export const loadDkim = (
  { dkimKey, dkimSelector = "trailbook", mailFrom }: Pick<MailSettings, "dkimKey" | "dkimSelector" | "mailFrom">
) =>
  dkimKey === undefined ? Effect.succeed(undefined) : Effect.map(readPem(dkimKey, "--dkim-key"), (privateKey) => ({
    domain: mailFrom.slice(mailFrom.lastIndexOf("@") + 1),
    selector: dkimSelector,
    privateKey: Redacted.make(privateKey)
  }))

/** Reads a PEM file with a private key. */
export const readPem = (file: string, setting: string): Effect.Effect<string, Failure> =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(file, "utf8"),
      catch: (cause) =>
        new Failure(
          `Cannot read the file ${file} from ${setting}: ${cause instanceof Error ? cause.message : String(cause)}`
        )
    }),
    (text) =>
      /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m.test(text)
        ? Effect.succeed(text)
        : Effect.fail(
          new Failure(
            `The file ${file} from ${setting} must contain a private key in PEM format, which starts with -----BEGIN.`
          )
        )
  )
