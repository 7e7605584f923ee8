/**
 * The allowed redirect URIs (RFC 8252):
 *
 * - https, on any host;
 * - http on a loopback address, for native programs;
 * - a private-use scheme, which is a reversed domain name, such as `com.example.app:`. Operating systems open schemes
 *   without a dot, such as `ms-settings:` and `feed:`, in their own programs. Only the editors in `ofEditors` are
 *   exempt, because they have no other scheme.
 *
 * A URI must not contain a fragment or a user, and it must consist of RFC 3986 characters. A URL parser drops line
 * breaks and tabs, so otherwise the URI that is opened could differ from the one that was compared. A requested URI
 * must equal a registered URI. Only the port of a loopback URI may differ, because a native program listens on any free
 * port.
 */

/** Returns whether a redirect URI may be registered. */
export const isSafeRedirectUri = (uri: string): boolean => {
  if (uri.length > maxLength || !ofUris.test(uri) || !URL.canParse(uri)) return false
  const { hostname, password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return false
  if (protocol === "https:") return hostname !== ""
  if (protocol === "http:") return isLoopback(hostname)
  return reverseDomain.test(protocol) || ofEditors.has(protocol)
}

/** Returns whether `requestedUri` matches a registered redirect URI. */
export const isRegisteredRedirectUri = (registered: ReadonlyArray<string>, requestedUri: string): boolean =>
  isSafeRedirectUri(requestedUri) && (registered.includes(requestedUri) ||
    (isLoopbackUri(requestedUri) &&
      registered.some((uri) => isLoopbackUri(uri) && withoutPort(uri) === withoutPort(requestedUri))))

/** Returns whether the URI points to a program on the user's machine. */
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

/** The characters of RFC 3986, except the `#` that starts a fragment. */
const ofUris = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/**
 * The scheme starts with a top-level domain, which consists only of letters. This excludes
 * `x-apple.systempreferences:`, which opens system settings.
 */
const reverseDomain = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/

const ofEditors: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])

const maxLength = 2000
