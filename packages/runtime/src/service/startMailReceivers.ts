/** Receives mail by LMTP, SMTP, or a mail provider's webhook, depending on the settings. */
import type { MailIntake } from "@trailbook/core/conversation"
import type { Handler } from "@trailbook/http/handler"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { throwMissingPackage } from "../MissingPackage.ts"
import { OperatorError } from "../OperatorError.ts"
import type { MailListenAddress } from "../setting/mail.ts"
import { readPem } from "./readPem.ts"

export interface MailReceiverSettings {
  readonly replyDomain: string | undefined
  readonly mailListen: MailListenAddress | undefined
  readonly mailCertificate: string | undefined
  /** The secret in the provider webhook's path. If omitted, the webhook is off. */
  readonly mailInSecret?: string | undefined
  /** The path prefix for the provider webhook, such as `/booking`. Default: empty. */
  readonly basePath?: string | undefined
  readonly shutdownGraceSeconds: number
}

export interface MailReceivers {
  /**
   * Accepts mail from mail servers until the scope closes. Returns the listen address, or `undefined` if the listener
   * is off.
   */
  readonly listen: Effect.Effect<
    { readonly host: string; readonly port: number } | undefined,
    OperatorError,
    Scope.Scope
  >
  /** Adds the provider webhook to a handler. Returns the handler unchanged if the webhook is off. */
  readonly mount: (handler: Handler) => Handler
}

const closedMailIn: MailReceivers = { listen: Effect.succeed(undefined), mount: (handler) => handler }

/**
 * Starts the mail receivers, which run until the scope closes. Their code is loaded only if a receiver is configured.
 */
export const startMailReceivers = (
  settings: MailReceiverSettings
): Effect.Effect<MailReceivers, OperatorError, MailIntake | Scope.Scope> =>
  settings.replyDomain === undefined || settings.mailListen === undefined && settings.mailInSecret === undefined
    ? Effect.succeed(closedMailIn)
    : openMailIn(settings, settings.replyDomain)

const openMailIn = (
  { basePath = "", mailCertificate, mailInSecret, mailListen, shutdownGraceSeconds }: MailReceiverSettings,
  replyDomain: string
) =>
  Effect.gen(function*() {
    const [ProviderWebhook, InboundMail, SmtpListener, MailParserPool, MemoryBudget] = yield* Effect.promise(() =>
      Promise.all([
        import("@trailbook/mail/inbound/ProviderWebhook"),
        import("@trailbook/mail/inbound/InboundMail"),
        import("@trailbook/mail/inbound/SmtpListener"),
        import("@trailbook/mail/inbound/parse/MailParserPool"),
        import("@trailbook/mail/inbound/MemoryBudget")
      ]).catch(throwMissingPackage("Incoming email", "@trailbook/mail"))
    )
    const inbound = yield* Layer.build(
      Layer.provide(InboundMail.InboundMail.layer({ replyDomain }), MailParserPool.MailParserPool.layer)
    )
    const budget = MemoryBudget.make(maxHeldBytes, maxHeldBytes / 4)
    const pem = mailCertificate === undefined ? undefined : yield* readPem(mailCertificate, "--mail-certificate")
    const listen = mailListen === undefined ? closedMailIn.listen : SmtpListener.listen({
      ...mailListen,
      name: replyDomain,
      budget,
      graceMs: shutdownGraceSeconds * 1000,
      ...(pem === undefined ? {} : { tls: { cert: pem, key: pem } })
    }).pipe(
      Effect.provide(inbound),
      Effect.mapError(({ message }) =>
        new OperatorError(`Cannot receive mail on ${mailListen.host}:${mailListen.port}: ${message}`, fix)
      )
    )
    if (mailInSecret === undefined) return { ...closedMailIn, listen }
    const handleMail = yield* Effect.provide(
      ProviderWebhook.makeProviderWebhook({ secret: mailInSecret, budget, basePath }),
      inbound
    )
    const mount = (handler: Handler): Handler => (request, connection) =>
      // Check the path first, because most requests are not emails.
      request.url.includes(ProviderWebhook.pathPrefix)
        ? handleMail(request) ?? handler(request, connection)
        : handler(request, connection)
    return { listen, mount }
  })

const fix = "Choose another address with --mail-listen, or stop the program that is using this address."

/**
 * The maximum memory for emails that are being received. Enough for four emails of the maximum size, or for thousands
 * of small ones.
 */
const maxHeldBytes = 128 * 1024 * 1024
