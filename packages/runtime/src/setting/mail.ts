/** Defines the value types for mail settings and for keys of other services. */
import { makeSettingType, matchingText, secret, type SettingType } from "./SettingType.ts"

/** An ASCII domain with at least two labels. */
export const domain: SettingType<string> = makeSettingType(
  "<domain>",
  "a domain such as reply.example.com",
  (text) =>
    text.length <= 190 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(text)
      ? text.toLowerCase()
      : undefined
)

/** The listen address and protocol for incoming mail. */
export interface MailListenAddress {
  readonly protocol: "lmtp" | "smtp"
  readonly host: string
  readonly port: number
}

/** Accepts `lmtp://127.0.0.1:2424` and `smtp://0.0.0.0:25`. */
export const mailListenAddress: SettingType<MailListenAddress> = makeSettingType(
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

/** A path segment that cannot be guessed. */
export const pathSecret: SettingType<string> = secret(
  matchingText("<secret>", "32 to 128 letters, digits, -, and _", /^[\w-]{32,128}$/)
)

/** A DKIM selector. */
export const selector: SettingType<string> = matchingText(
  "<name>",
  "1 to 63 letters, digits, and -",
  /^[a-z0-9-]{1,63}$/i
)

/** An API key for another service, as an HTTP header value. */
export const serviceKey: SettingType<string> = secret(
  matchingText("<key>", "1 to 500 printable ASCII characters without spaces", /^[!-~]{1,500}$/)
)
