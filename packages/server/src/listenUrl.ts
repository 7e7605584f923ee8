import type { Address } from "@trailbook/http/serve"

/** Returns the URL for a listen address. A server that listens on all interfaces is reached at the loopback address. */
export const listenUrl = ({ host, port }: Address): string => {
  const hostname = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`
}
