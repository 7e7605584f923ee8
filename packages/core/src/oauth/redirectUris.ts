/**
 * The addresses that a browser may be sent back to with a code (RFC 8252):
 *
 * - https, on any host;
 * - http, on this machine only, where a native program listens;
 * - a private-use scheme: a domain name in reverse order, such as `com.example.app:`. Operating systems open schemes
 *   without a dot in programs of their own, such as `ms-settings:` and `feed:`. Only the editors below are exempt,
 *   because they have no other scheme.
 *
 * None has a fragment or a user in it, and all characters are those of RFC 3986: a URL parser drops line breaks and
 * tabs, so the address that is compared would differ from the one that opens. A requested address must equal a
 * registered one; only the port of an http address on this machine may differ, because a program takes a free one.
 */

/**
 * Whether an address may be registered at all.
 *
 * @category predicates
 */
export const isSafeRedirect = (uri: string): boolean => {
  if (uri.length > maxLength || !ofUris.test(uri) || !URL.canParse(uri)) return false
  const { hostname, password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return false
  if (protocol === "https:") return hostname !== ""
  if (protocol === "http:") return isLoopback(hostname)
  return reverseDomain.test(protocol) || ofEditors.has(protocol)
}

/**
 * Whether a browser may be sent to `asked`, when these were registered.
 *
 * @category predicates
 */
export const isRegistered = (registered: ReadonlyArray<string>, asked: string): boolean =>
  isSafeRedirect(asked) && (registered.includes(asked) ||
    (isLoopbackUri(asked) && registered.some((uri) => isLoopbackUri(uri) && withoutPort(uri) === withoutPort(asked))))

/**
 * Whether it leads to a program on the machine of whoever approves it.
 *
 * @category predicates
 */
export const isLoopbackUri = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false
  const { hostname, protocol } = new URL(uri)
  return protocol === "http:" && isLoopback(hostname)
}

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname)

const withoutPort = (uri: string): string => {
  const { hostname, pathname, search } = new URL(uri)
  return hostname + pathname + search
}

/** The characters of RFC 3986, without the number sign of a fragment. */
const ofUris = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/** It starts with a top-level domain, which has letters only: `x-apple.systempreferences:` opens system settings. */
const reverseDomain = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/

const ofEditors: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

const maxLength = 2000
