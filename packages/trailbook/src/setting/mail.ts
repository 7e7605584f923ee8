/**
 * The kinds of value of settings for mail.
 */
import { forms, smtpUrl } from "@trailbook/mail/smtpUrl"
import type { Kind } from "./Kind.ts"

/**
 * A mail server. The text is kept as it is: it may hold a password, and is shown
 * nowhere.
 *
 * @category kinds
 */
export const smtp: Kind<string> = {
  placeholder: "<url>",
  accepts: forms,
  secret: true,
  read: (text) => smtpUrl(text) === undefined ? { must: `must be ${forms}` } : { value: text }
}

/**
 * A domain of at least two parts, in the letters that travel in mails.
 *
 * @category kinds
 */
export const domain: Kind<string> = {
  placeholder: "<domain>",
  accepts: "a domain such as reply.example.com",
  read: (text) =>
    text.length <= 190 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(text)
      ? { value: text.toLowerCase() }
      : { must: "must be a domain such as reply.example.com" }
}

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

const listenForms = "lmtp://<host>:<port> or smtp://<host>:<port>, such as lmtp://127.0.0.1:2424"

/**
 * `lmtp://127.0.0.1:2424`, `smtp://0.0.0.0:25`.
 *
 * @category kinds
 */
export const mailListen: Kind<MailListen> = {
  placeholder: "<address>",
  accepts: listenForms,
  read: (text) => {
    const [, protocol, bracketed, bare, digits] =
      /^(lmtp|smtp):\/\/(?:\[([0-9a-f:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ??
        []
    const port = Number(digits)
    const host = bracketed ?? bare
    return host !== undefined && port <= 65_535
      ? { value: { protocol: protocol === "lmtp" ? "lmtp" : "smtp", host, port } }
      : { must: `must be ${listenForms}` }
  }
}

/**
 * A part of an address that cannot be guessed.
 *
 * @category kinds
 */
export const pathSecret: Kind<string> = {
  placeholder: "<secret>",
  accepts: "32 to 128 letters, digits, - and _",
  secret: true,
  read: (text) =>
    /^[\w-]{32,128}$/.test(text) ? { value: text } : { must: "must be 32 to 128 letters, digits, - and _" }
}

/**
 * The name of a key in the DNS.
 *
 * @category kinds
 */
export const selector: Kind<string> = {
  placeholder: "<name>",
  accepts: "1 to 63 letters, digits and -",
  read: (text) => /^[a-z0-9-]{1,63}$/i.test(text) ? { value: text } : { must: "must be 1 to 63 letters, digits and -" }
}

/**
 * A key of another service, as it travels in a header.
 *
 * @category kinds
 */
export const serviceKey: Kind<string> = {
  placeholder: "<key>",
  accepts: "1 to 500 characters without blanks",
  secret: true,
  read: (text) => /^[!-~]{1,500}$/.test(text) ? { value: text } : { must: "must be 1 to 500 characters without blanks" }
}
