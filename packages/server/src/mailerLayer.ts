import { Mailer } from "@trailbook/core/mail"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import type { OperatorError } from "@trailbook/runtime/OperatorError"
import { readPem } from "@trailbook/runtime/service/readPem"
import type { DatabaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { dirname, join } from "node:path"
import { countMailFailure } from "./metrics.ts"

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

/**
 * Sends mail by SMTP if a server is set. Otherwise, writes the mail to the outbox folder. Counts failed sends in the
 * metrics.
 */
export const mailerLayer = (settings: MailSettings): Layer.Layer<Mailer, OperatorError> =>
  Layer.map(makeMailerLayer(settings), (services) => {
    const { send } = Context.get(services, Mailer)
    return Context.make(Mailer, { send: (mail) => Effect.tapError(send(mail), countMailFailure) })
  })

const makeMailerLayer = (settings: MailSettings): Layer.Layer<Mailer, OperatorError> => {
  const { mailFrom: from, replyDomain, smtpUrl } = settings
  if (smtpUrl === undefined) return OutboxFolder.layer({ directory: resolveOutboxFolder(settings), from, replyDomain })
  return Layer.unwrapEffect(Effect.gen(function*() {
    const dkim = yield* loadDkim(settings)
    // Load the module on demand, because a server that writes mail to files does not need it.
    const Smtp = yield* Effect.promise(() => import("@trailbook/mail/Smtp"))
    return Smtp.layer({ url: Redacted.make(smtpUrl), from, replyDomain, dkim })
  }))
}

/** Loads the DKIM private key from its file. */
const loadDkim = (
  { dkimKey, dkimSelector = "trailbook", mailFrom }: Pick<MailSettings, "dkimKey" | "dkimSelector" | "mailFrom">
) =>
  dkimKey === undefined ? Effect.succeed(undefined) : Effect.map(readPem(dkimKey, "--dkim-key"), (privateKey) => ({
    domain: mailFrom.slice(mailFrom.lastIndexOf("@") + 1),
    selector: dkimSelector,
    privateKey: Redacted.make(privateKey)
  }))

/** Returns the configured outbox folder, or `outbox` next to the database file or in the working directory. */
export const resolveOutboxFolder = ({ database, outbox }: {
  readonly database: DatabaseUrl
  readonly outbox: string | undefined
}): string => outbox ?? join(database._tag === "Sqlite" ? dirname(database.file) : ".", "outbox")
