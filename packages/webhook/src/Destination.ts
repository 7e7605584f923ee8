import * as Either from "effect/Either"
import { isIP } from "node:net"

/**
 * Where an address leads, as far as its text tells.
 *
 * @category models
 */
export interface Destination {
  readonly secure: boolean
  /** A name or an address, without brackets and without a dot at its end. */
  readonly host: string
  readonly port: number
  /** The value of the header `Host`. */
  readonly authority: string
  readonly path: string
  /** It is for addresses only that the operator has opened. */
  readonly inward: boolean
}

/**
 * Reads an address that a tenant gave, or says what is wrong with it, as a
 * sentence that goes on after the field's name.
 *
 * http, and names of a single label, which only an inner network knows, are no
 * fault yet: they are `inward`. The URL parser has made `2130706433`, `0x7f.1` and
 * full-width digits into the addresses that they are.
 *
 * @category parsing
 */
export const parse = (text: string): Either.Either<Destination, string> => {
  if (text.length > maxLength) return Either.left(`must be at most ${maxLength} characters long`)
  // The URL parser drops blanks and line breaks and turns backslashes: what is stored is to be what is meant.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return Either.left(notSecure)
  if (/^\w+:\/\/[^/?#]*@/.test(text)) return Either.left("must not hold a user name or a password")
  if (text.includes("#")) return Either.left("must not have a fragment")

  const url = new URL(text)
  const secure = url.protocol === "https:"
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  if (port < 1024 && port !== (secure ? 443 : 80)) return Either.left("must use port 443 or one from 1024 on")
  if (!labels.test(host) && isIP(host) === 0) return Either.left("must name a host")
  return Either.right({
    secure,
    host,
    port,
    authority: url.host,
    path: `${url.pathname}${url.search}`,
    inward: !secure || (isIP(host) === 0 && !host.includes("."))
  })
}

/**
 * What is wrong with one that is `inward` and leads where the operator has opened nothing.
 *
 * @category constants
 */
export const privateAddressError = ({ secure }: Destination): string =>
  secure ? "must name a host with its domain, such as hooks.example.com" : notSecure

const maxLength = 2000
const notSecure = "must be an address that begins with https://"
const labels = /^(?=.{1,253}$)[\w-]{1,63}(\.[\w-]{1,63})*$/
