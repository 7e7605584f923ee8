/**
 * Where a browser may be sent back to with a code.
 *
 * - https, on any host;
 * - http on this machine alone, where a native program listens;
 * - a scheme of a program's own, such as `cursor:`, but none that a browser itself
 *   does something with.
 *
 * None has a fragment or a user in it. What was registered is compared letter by
 * letter; only the port of an http address on this machine may be any, for a
 * program takes the one that is free.
 */

/**
 * Whether an address may be registered at all.
 *
 * @category predicates
 */
export const isSafeRedirect = (uri: string): boolean => {
  if (uri.length > maxLength || uri.includes("#") || !URL.canParse(uri)) return false
  const { hostname, password, protocol, username } = new URL(uri)
  if (username !== "" || password !== "") return false
  if (protocol === "https:") return hostname !== ""
  if (protocol === "http:") return isLoopback(hostname)
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !ofBrowsers.has(protocol)
}

/**
 * Whether a browser may be sent to `asked`, when these were registered.
 *
 * @category predicates
 */
export const isRegistered = (registered: ReadonlyArray<string>, asked: string): boolean =>
  registered.includes(asked) ||
  (isSafeRedirect(asked) && isLocal(asked) &&
    registered.some((uri) => isLocal(uri) && withoutPort(uri) === withoutPort(asked)))

/**
 * Whether it leads to a program on the machine of whoever approves it.
 *
 * @category predicates
 */
export const isLocal = (uri: string): boolean => {
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

const ofBrowsers: ReadonlySet<string> = new Set(
  "about: blob: chrome: data: file: filesystem: ftp: javascript: mailto: tel: vbscript: view-source: ws: wss:".split(
    " "
  )
)

const maxLength = 2000
