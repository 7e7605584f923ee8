/** The doors for mail that comes in, as the settings open them. */
import type { InboundMailHandler } from "@trailbook/core/conversation/InboundMail"
import type { Handler } from "@trailbook/http/handler"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Failure } from "../command/CommandError.ts"
import type { MailListen } from "../setting/mail.ts"
import { readPem } from "./mailerLayer.ts"

export interface MailInSettings {
  readonly replyDomain: string | undefined
  readonly mailListen: MailListen | undefined
  readonly mailCertificate: string | undefined
  /** Without it there is no address for providers. */
  readonly mailInSecret?: string | undefined
  /** What the address for providers is below, such as `/booking`; nothing when it is left out. */
  readonly basePath?: string | undefined
  readonly shutdownGraceSeconds: number
}

export interface MailIn {
  /** Takes mail of mail servers until the scope closes, and says where; `undefined` where that is not set. */
  readonly listen: Effect.Effect<
    { readonly host: string; readonly port: number } | undefined,
    Failure,
    Scope.Scope
  >
  /** A handler that also has the address for providers; the handler itself where that is not set. */
  readonly beside: (handler: Handler) => Handler
}

const closed: MailIn = { listen: Effect.succeed(undefined), beside: (handler) => handler }

/** Makes the doors, which work until the scope closes. Nothing of them is loaded where none is set. */
export const mailIn = (settings: MailInSettings): Effect.Effect<MailIn, Failure, InboundMailHandler | Scope.Scope> =>
  settings.replyDomain === undefined || settings.mailListen === undefined && settings.mailInSecret === undefined
    ? Effect.succeed(closed)
    : opened(settings, settings.replyDomain)

const opened = (
  { basePath = "", mailCertificate, mailInSecret, mailListen, shutdownGraceSeconds }: MailInSettings,
  replyDomain: string
) =>
  Effect.gen(function*() {
    const [HttpDoor, InboundMail, Listener, MailReader, Room] = yield* Effect.promise(() =>
      Promise.all([
        import("@trailbook/mail/inbound/ProviderWebhook"),
        import("@trailbook/mail/inbound/InboundMail"),
        import("@trailbook/mail/inbound/SmtpListener"),
        import("@trailbook/mail/inbound/MailParserPool"),
        import("@trailbook/mail/inbound/MemoryBudget")
      ])
    )
    const inbound = yield* Layer.build(
      Layer.provide(InboundMail.InboundMail.layer({ replyDomain }), MailReader.MailParserPool.layer)
    )
    const room = Room.make(mostBytesHeld, mostBytesHeld / 4)
    const pem = mailCertificate === undefined ? undefined : yield* readPem(mailCertificate, "--mail-certificate")
    const listen = mailListen === undefined ? closed.listen : Listener.listen({
      ...mailListen,
      name: replyDomain,
      room,
      graceMs: shutdownGraceSeconds * 1000,
      ...(pem === undefined ? {} : { tls: { cert: pem, key: pem } })
    }).pipe(
      Effect.provide(inbound),
      Effect.mapError(({ message }) =>
        new Failure(`Mail cannot be taken in at ${mailListen.host}:${mailListen.port}: ${message}`, fix)
      )
    )
    if (mailInSecret === undefined) return { ...closed, listen }
    const door = yield* Effect.provide(HttpDoor.makeProviderWebhook({ secret: mailInSecret, room, basePath }), inbound)
    const beside = (handler: Handler): Handler => (request, connection) =>
      // Most requests are no mails, and need no look at more than their path.
      request.url.includes(HttpDoor.path) ? door(request) ?? handler(request, connection) : handler(request, connection)
    return { listen, beside }
  })

const fix = "Choose another address with --mail-listen, or end what listens there."

/** Mails that are being handed over at a time: four of the largest, or thousands. */
const mostBytesHeld = 128 * 1024 * 1024
