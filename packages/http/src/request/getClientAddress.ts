import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"

/**
 * Determines the client address behind proxies. Each proxy appends its peer's address to `X-Forwarded-For`, so the
 * header is read backward as long as `isTrusted` accepts the proxy. `hop` counts proxies, starting at 0 for the
 * socket's peer. Entries forged by a caller come first in the header, so they are never reached.
 */
export const makeGetClientAddress =
  (isTrusted: (address: string, hop: number) => boolean) =>
  ({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string | undefined => {
    const hops = readForwardedFor(headers)?.split(",").toReversed() ?? []
    let caller = socket.remoteAddress
    for (let hop = 0; hop < hops.length; hop++) {
      if (caller === undefined || !isTrusted(caller, hop)) return caller
      const before = addressIn(hops[hop] ?? "")
      // If a proxy added no entry, its own address is the last known one.
      if (before === undefined) return caller
      caller = before
    }
    return caller
  }

export const readForwardedFor = (headers: IncomingMessage["headers"]): string | undefined => {
  const header = headers["x-forwarded-for"]
  return Array.isArray(header) ? header.join(",") : header
}

/** Returns the IP address in a header entry. Some proxies also include a port. */
const addressIn = (text: string): string | undefined => {
  const [, address = ""] =
    /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+|(\S+))\s*$/.exec(text)?.filter((part) => part !== undefined) ?? []
  return isIP(address) === 0 ? undefined : address
}
