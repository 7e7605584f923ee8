import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"

/**
 * Says whose a request is that came through proxies: each writes behind the
 * `X-Forwarded-For` it was given who connected to it. So the header is read from
 * its end, and who stands before a proxy is believed as long as the proxy is one
 * that `isTrusted`; `hop` counts them from 0, which is the other end of the socket.
 * What a caller wrote into the header stands before all that, and is never reached.
 */
export const clientAddress =
  (isTrusted: (address: string, hop: number) => boolean) =>
  ({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string | undefined => {
    const told = forwardedFor(headers)?.split(",").toReversed() ?? []
    let caller = socket.remoteAddress
    for (let hop = 0; hop < told.length; hop++) {
      if (caller === undefined || !isTrusted(caller, hop)) return caller
      const before = addressIn(told[hop] ?? "")
      // A proxy that does not say who connected to it is the last that is known.
      if (before === undefined) return caller
      caller = before
    }
    return caller
  }

export const forwardedFor = (headers: IncomingMessage["headers"]): string | undefined => {
  const header = headers["x-forwarded-for"]
  return Array.isArray(header) ? header.join(",") : header
}

/** Some proxies write the port, too. */
const addressIn = (text: string): string | undefined => {
  const [, address = ""] =
    /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+|(\S+))\s*$/.exec(text)?.filter((part) => part !== undefined) ?? []
  return isIP(address) === 0 ? undefined : address
}
