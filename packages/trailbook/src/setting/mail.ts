/**
 * The kinds of value of settings for mail.
 */
import { forms, smtpUrl } from "@trailbook/mail/smtpUrl"
import { kind, matching, secret, type SettingType } from "./SettingType.ts"

/**
 * A mail server. The text is kept as it is: it may hold a password, and is shown
 * nowhere.
 *
 * @category kinds
 */
export const smtp: SettingType<string> = secret(
  kind("<url>", forms, (text) => smtpUrl(text) === undefined ? undefined : text)
)

/**
 * A domain of at least two parts, in the letters that travel in mails.
 *
 * @category kinds
 */
export const domain: SettingType<string> = kind(
  "<domain>",
  "a domain such as reply.example.com",
  (text) =>
    text.length <= 190 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(text)
      ? text.toLowerCase()
      : undefined
)

/**
 * Where mail is taken in, and how it is handed over.
 *
 * @category models
 */
export interface MailListen {
  readonly protocol: "lmtp" | "smtp"
  readonly host: string
  readonly port: number
}

/**
 * `lmtp://127.0.0.1:2424`, `smtp://0.0.0.0:25`.
 *
 * @category kinds
 */
export const mailListen: SettingType<MailListen> = kind(
  "<address>",
  "lmtp://<host>:<port> or smtp://<host>:<port>, such as lmtp://127.0.0.1:2424",
  (text) => {
    const [, protocol, bracketed, bare, digits] =
      /^(lmtp|smtp):\/\/(?:\[([0-9a-f:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
    const port = Number(digits)
    const host = bracketed ?? bare
    return host !== undefined && port <= 65_535
      ? { protocol: protocol === "lmtp" ? "lmtp" : "smtp", host, port }
      : undefined
  }
)

/**
 * A part of an address that cannot be guessed.
 *
 * @category kinds
 */
export const pathSecret: SettingType<string> = secret(
  matching("<secret>", "32 to 128 letters, digits, - and _", /^[\w-]{32,128}$/)
)

/**
 * The name of a key in the DNS.
 *
 * @category kinds
 */
export const selector: SettingType<string> = matching("<name>", "1 to 63 letters, digits and -", /^[a-z0-9-]{1,63}$/i)

/**
 * A key of another service, as it travels in a header.
 *
 * @category kinds
 */
export const serviceKey: SettingType<string> = secret(
  matching("<key>", "1 to 500 characters without blanks", /^[!-~]{1,500}$/)
)
