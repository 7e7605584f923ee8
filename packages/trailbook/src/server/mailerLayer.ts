import type { Mailer } from "@trailbook/core/mail/Mailer"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import { Failure } from "../command/CommandError.ts"
import type { DatabaseUrl } from "../setting/databaseUrl.ts"
import { outboxLayer } from "./outboxLayer.ts"

/** What says how mails leave. */
export interface MailSettings {
  readonly database: DatabaseUrl
  readonly outbox: string | undefined
  readonly mailFrom: string
  readonly smtpUrl?: string | undefined
  readonly replyDomain?: string | undefined
  readonly dkimKey?: string | undefined
  readonly dkimSelector?: string | undefined
}

/** Mails leave by the server that is set, or else are written to the outbox folder. */
export const mailerLayer = (settings: MailSettings): Layer.Layer<Mailer, Failure> => {
  const { mailFrom: from, replyDomain, smtpUrl } = settings
  if (smtpUrl === undefined) return OutboxFolder.layer({ directory: outboxLayer(settings), from, replyDomain })
  return Layer.unwrapEffect(Effect.gen(function*() {
    const dkim = yield* loadDkim(settings)
    // Loaded where it is used: a server that writes files starts without it.
    const Smtp = yield* Effect.promise(() => import("@trailbook/mail/Smtp"))
    return Smtp.layer({ url: Redacted.make(smtpUrl), from, replyDomain, dkim })
  }))
}

/** The key that mails are signed with, of its file. */
export const loadDkim = (
  { dkimKey, dkimSelector = "trailbook", mailFrom }: Pick<MailSettings, "dkimKey" | "dkimSelector" | "mailFrom">
) =>
  dkimKey === undefined ? Effect.succeed(undefined) : Effect.map(readPem(dkimKey, "--dkim-key"), (privateKey) => ({
    domain: mailFrom.slice(mailFrom.lastIndexOf("@") + 1),
    selector: dkimSelector,
    privateKey: Redacted.make(privateKey)
  }))

/** A file of keys, as PEM. */
export const readPem = (file: string, setting: string): Effect.Effect<string, Failure> =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(file, "utf8"),
      catch: (cause) =>
        new Failure(`${file} of ${setting} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
    }),
    (text) =>
      /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m.test(text)
        ? Effect.succeed(text)
        : Effect.fail(new Failure(`${file} of ${setting} has no private key as PEM, which begins with -----BEGIN`))
  )
