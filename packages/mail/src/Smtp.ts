/** Sends email over SMTP through the operator's own mail server or a provider's. */
import { type Mail, Mailer, MailFailed, type MailFailureReason } from "@trailbook/core/mail"
import { currentTraceHeaders } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Config from "effect/Config"
import { type ConfigError, InvalidData } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createTransport } from "nodemailer"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import { buildMimeMessage } from "./mimeMessage.ts"
import { isLoopbackHost, parseSmtpUrl, type SmtpServer, smtpUrlFormats } from "./parseSmtpUrl.ts"

export interface SmtpSettings {
  /**
   * A URL in the format that `parseSmtpUrl` parses. It can contain a password, so it never appears in error messages.
   */
  readonly url: Redacted.Redacted
  /** The address in `From`, which is combined with the outfitter's name. */
  readonly from: string
  /**
   * The domain for Trailbook's reply and delivery report addresses. Without this domain, Trailbook requests no delivery
   * reports, and bounces go to `from`.
   */
  readonly replyDomain?: string | undefined
  /** Signs every email (RFC 6376). Omit the key if the mail server signs email. */
  readonly dkim?: DkimKey | undefined
}

/**
 * A DKIM key. The public key must be published in DNS at `<selector>._domainkey.<domain>`. `privateKey` is in PEM
 * format.
 */
export interface DkimKey {
  readonly domain: string
  readonly selector: string
  readonly privateKey: Redacted.Redacted
}

/**
 * Sends email over a pool of up to eight connections. Retries keep the same Message-ID. The envelope sender contains
 * the email's token, so that Trailbook can match a delivery report by recipient address alone.
 *
 * A permanent error about an address or an email is final. A permanent login error is retried, because the operator can
 * fix the login.
 *
 * @example
 * import { Smtp } from "@trailbook/mail"
 * import * as Redacted from "effect/Redacted"
 *
 * const mailer = Smtp.layer({
 *   url: Redacted.make("smtps://bookings:secret@mail.outfitter.example"),
 *   from: "bookings@outfitter.example",
 *   replyDomain: "reply.outfitter.example"
 * })
 */
export const layer = (settings: SmtpSettings): Layer.Layer<Mailer> =>
  Layer.scoped(
    Mailer,
    Effect.map(acquireTransport(settings), (transport) =>
      Mailer.of({
        send: (mail) =>
          Effect.gen(function*() {
            const raw = Buffer.from(
              yield* buildMimeMessage(mail, {
                from: settings.from,
                date: yield* currentTime,
                messageDomain: settings.replyDomain,
                trace: yield* currentTraceHeaders
              })
            )
            return yield* sendMail(transport, mail, raw, settings)
          }).pipe(Effect.withSpan("Smtp.send", { attributes: { mail: mail.id } }))
      }))
  )

/** Creates the mailer with settings from the program's Effect configuration. */
export const layerConfig = (config: Config.Config.Wrap<SmtpSettings>): Layer.Layer<Mailer, ConfigError> =>
  Layer.unwrapEffect(
    Effect.flatMap(
      Config.unwrap<SmtpSettings>(config),
      (settings) =>
        parseSmtpUrl(Redacted.value(settings.url)) === undefined
          ? Effect.fail(InvalidData([], `The mail server URL must be ${smtpUrlFormats}`))
          : Effect.succeed(layer(settings))
    )
  )

type Transport = ReturnType<typeof makeTransport>

const makeTransport = ({ dkim, url }: SmtpSettings) => {
  const server = parseSmtpUrl(Redacted.value(url))
  // `layerConfig` validates the URL, so this error means that a program passed an invalid constant.
  if (server === undefined) throw new Error(`The mail server URL must be ${smtpUrlFormats}.`)
  return createTransport({
    ...toConnectionOptions(server),
    pool: true,
    maxConnections: 8,
    // The task already retries the email. If the library requeued the email, the guest could receive it twice, because
    // a broken connection does not reveal whether the email was delivered.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim === undefined ? {} : {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: Redacted.value(dkim.privateKey)
      }
    })
  })
}

const acquireTransport = (settings: SmtpSettings) =>
  Effect.acquireRelease(
    Effect.sync(() => makeTransport(settings)),
    (transport) => Effect.sync(() => transport.close())
  )

const sendMail = (transport: Transport, mail: Mail, raw: Buffer, { from, replyDomain }: SmtpSettings) => {
  // The library would "repair" an invalid address and send the email to a different one.
  if (!/^[^\s<>,;\p{Cc}]+@[^\s<>,;@\p{Cc}]+$/u.test(mail.to.email)) {
    const message = "The email address is not valid for SMTP."
    return Effect.fail(new MailFailed({ message, permanent: true, reason: "address" }))
  }
  return Effect.tryPromise({
    try: async (signal) => {
      const hasReports = replyDomain !== undefined && mail.bounceToken !== null
      const { ehlo = [] } = await transport.sendMail({
        raw,
        signal,
        envelope: { from: hasReports ? `bounce+${mail.bounceToken}@${replyDomain}` : from, to: [mail.to.email] },
        ...(hasReports ? { dsn: { notify: ["SUCCESS", "FAILURE", "DELAY"], ret: "HDRS", id: mail.bounceToken } } : {})
      })
      return { reportRequested: hasReports && hasReportSupport(ehlo) }
    },
    catch: toMailFailed
  })
}

const hasReportSupport = (ehlo: ReadonlyArray<string>): boolean => ehlo.some((line) => /^DSN\b/i.test(line.trim()))

const toConnectionOptions = ({ encryption, host, login, port }: SmtpServer) => ({
  host,
  port,
  secure: encryption === "from the start",
  requireTLS: encryption === "required",
  ignoreTLS: encryption === "off",
  ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
  // Mail servers on the same machine often have self-signed certificates.
  ...(isLoopbackHost(host) ? { tls: { rejectUnauthorized: false } } : {}),
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
  // SMTP commands and responses contain guests' addresses.
  logger: false
})

/** A mail server's capabilities after login. */
export interface SmtpCapabilities {
  readonly isEncrypted: boolean
  readonly offersReports: boolean
}

/** Connects and logs in without sending email. */
export const verifyConnection = (url: Redacted.Redacted): Effect.Effect<SmtpCapabilities, MailFailed> => {
  const server = parseSmtpUrl(Redacted.value(url))
  if (server === undefined) return Effect.die(new Error(`The mail server URL must be ${smtpUrlFormats}.`))
  return Effect.async<SmtpCapabilities, MailFailed>((resume) => {
    const connection = new SMTPConnection(toConnectionOptions(server))
    const onError = (error: unknown) => {
      connection.close()
      resume(Effect.fail(toMailFailed(error)))
    }
    connection.once("error", onError)
    connection.connect(() => {
      const capabilities = String(connection.lastServerResponse).split(/\r?\n/).map((line) => line.slice(4))
      const onReady = () => {
        connection.quit()
        resume(Effect.succeed({ isEncrypted: connection.secure, offersReports: hasReportSupport(capabilities) }))
      }
      if (server.login === undefined) return onReady()
      const { password: pass, user } = server.login
      connection.login({ credentials: { user, pass } }, (error) => error ? onError(error) : onReady())
    })
    return Effect.sync(() => connection.close())
  })
}

/**
 * Converts a library error to a failure reason. Mail servers' responses contain guests' names, so only the status codes
 * are kept.
 */
const toMailFailed = (error: unknown): MailFailed => {
  const { code, command, message, response, responseCode } = errorParts(error)
  const codes = codesOf(response)
  const mailFailed = (reason: MailFailureReason, permanent: boolean, words: string) =>
    new MailFailed({ reason, permanent, message: `${words}${codes === "" ? "" : ` (${codes})`}.` })
  if (code === "EAUTH" || code === "ENOAUTH" || /^53[0458]$/.test(String(responseCode))) {
    return mailFailed("login", false, "The mail server rejected the login")
  }
  const isFinal = responseCode !== undefined && responseCode >= 500
  if (command === "RCPT TO" && responseCode !== undefined) {
    // Servers that do not accept mail from Trailbook reject every recipient with this response.
    if (/relay/i.test(response)) return mailFailed("login", false, "The mail server refused to relay the message")
    return mailFailed("address", isFinal, "The mail server rejected the recipient address")
  }
  if (command === "DATA" && responseCode !== undefined) {
    return mailFailed("refused", isFinal, "The mail server rejected the message")
  }
  // The server announced a size limit that the message exceeds, so the library did not send it.
  if (code === "EMESSAGE") return mailFailed("refused", true, "The message is too large for the mail server")
  if (command === "MAIL FROM") return mailFailed("refused", false, "The mail server rejected the sender address")
  if (command === "API" && code === "EENVELOPE") {
    return mailFailed("address", true, "The email address is not valid for SMTP")
  }
  if (code === "ETIMEDOUT") return mailFailed("timeout", false, "The mail server did not respond in time")
  if (code === "ETLS") return mailFailed("unreachable", false, "The connection to the mail server cannot be encrypted")
  if (responseCode !== undefined) return mailFailed("refused", false, "The mail server rejected the session")
  const fault = /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? code
  return mailFailed("unreachable", false, `The mail server is unreachable${fault === undefined ? "" : `: ${fault}`}`)
}

/** Returns the status code and the enhanced status code (RFC 3463), such as "550 5.1.1". */
const codesOf = (response: string): string => {
  const [, basic, enhanced] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  return [basic, enhanced].filter((part) => part !== undefined).join(" ")
}

const errorParts = (error: unknown) => {
  const fieldOf = (name: string): unknown => error instanceof Error ? Reflect.get(error, name) : undefined
  const text = (name: string): string | undefined => {
    const value = fieldOf(name)
    return typeof value === "string" ? value : undefined
  }
  const responseCode = fieldOf("responseCode")
  return {
    code: text("code"),
    command: text("command"),
    message: text("message") ?? "",
    response: text("response") ?? "",
    responseCode: typeof responseCode === "number" ? responseCode : undefined
  }
}
