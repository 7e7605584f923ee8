import * as Either from "effect/Either"
import { isIP } from "node:net"

/** The destination in the text of a URL, before any DNS lookup. */
export interface Destination {
  readonly secure: boolean
  /** A name or an IP address. Has no brackets and no trailing dot. */
  readonly host: string
  readonly port: number
  /** The `Host` header. */
  readonly authority: string
  readonly path: string
  /** Whether only the operator's allowed networks may contain the destination. */
  readonly inward: boolean
}

/**
 * Parses a URL of a tenant. An error continues a sentence that starts with the field name.
 *
 * `http` URLs and names with a single label exist only in internal networks. They are `inward` and no errors. The URL
 * parser has already converted `2130706433`, `0x7f.1`, and fullwidth digits to IP addresses.
 */
export const parse = (text: string): Either.Either<Destination, string> => {
  if (text.length > maxLength) return Either.left(`must be at most ${maxLength} characters long`)
  // The URL parser drops spaces and line breaks and converts backslashes, so requests would go to another URL than the
  // stored one.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return Either.left(notSecure)
  if (/^\w+:\/\/[^/?#]*@/.test(text)) return Either.left("must not contain a username or a password")
  if (text.includes("#")) return Either.left("must not have a fragment")

  const url = new URL(text)
  const secure = url.protocol === "https:"
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  if (port < 1024 && port !== (secure ? 443 : 80)) return Either.left("must use port 443 or a port from 1024 to 65535")
  if (!labels.test(host) && isIP(host) === 0) return Either.left("must have a host")
  return Either.right({
    secure,
    host,
    port,
    authority: url.host,
    path: `${url.pathname}${url.search}`,
    inward: !secure || (isIP(host) === 0 && !host.includes("."))
  })
}

/** The error for an `inward` destination outside the allowed networks. */
export const privateAddressError = ({ secure }: Destination): string =>
  secure ? "must have a host name with a domain, such as hooks.example.com" : notSecure

const maxLength = 2000
const notSecure = "must be a URL that starts with https://"
const labels = /^(?=.{1,253}$)[\w-]{1,63}(\.[\w-]{1,63})*$/
