import * as Either from "effect/Either"
import { isIP } from "node:net"

/** A destination as written in the URL, before any DNS lookup. */
export interface Destination {
  readonly secure: boolean
  /** A hostname or IP address, without brackets or a trailing dot. */
  readonly host: string
  readonly port: number
  /** The value of the `Host` header. */
  readonly authority: string
  readonly path: string
  /** Whether the destination is reachable only through the operator's allowed networks. */
  readonly isInternal: boolean
}

/**
 * Parses a URL that a tenant entered. The error message completes a sentence that starts with the field name.
 *
 * `http` URLs and single-label names are used only on internal networks, so they are parsed successfully but marked
 * `inward`. The URL parser has already converted `2130706433`, `0x7f.1`, and fullwidth digits to IP addresses.
 */
export const parse = (text: string): Either.Either<Destination, string> => {
  if (text.length > maxLength) return Either.left(`must be at most ${maxLength} characters long`)
  // The URL parser drops whitespace and converts backslashes, so requests would go to a different URL than the one
  // stored.
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
    isInternal: !secure || (isIP(host) === 0 && !host.includes("."))
  })
}

/** Returns the error for an internal destination outside the allowed networks. */
export const getPrivateAddressError = ({ secure }: Destination): string =>
  secure ? "must have a host name with a domain, such as hooks.example.com" : notSecure

const maxLength = 2000
const notSecure = "must be a URL that starts with https://"
const labels = /^(?=.{1,253}$)[\w-]{1,63}(\.[\w-]{1,63})*$/
