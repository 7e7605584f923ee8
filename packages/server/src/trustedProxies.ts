import { clientAddress, forwardedFor } from "@trailbook/http/request/clientAddress"
import type { Options } from "@trailbook/http/serve"
import { isAllowed, makeAllowedNetworks } from "@trailbook/webhook/addresses"
import type { TrustedProxies } from "./setting/trustedProxies.ts"

/**
 * Returns a predicate that detects trusted proxies by their address. The connection limit per network does not apply to
 * proxies, because many clients share a proxy's address.
 */
export const makeIsProxy = (trusted: TrustedProxies | undefined): NonNullable<Options["isProxy"]> => {
  if (trusted === undefined) return () => false
  if (typeof trusted === "number") return () => trusted > 0
  const networks = makeAllowedNetworks(trusted)
  return (address) => isAllowed(networks, address)
}

/**
 * Determines the client address behind trusted proxies. Without trusted proxies, the client address is the peer
 * address, and `onForwarded` is called once, for the first request with a forwarded address.
 */
export const makeAddressReader = (
  trusted: TrustedProxies | undefined,
  onForwarded: () => void
): NonNullable<Options["remoteAddressOf"]> => {
  if (trusted === undefined) {
    let isReported = false
    return ({ headers, socket }) => {
      if (!isReported && forwardedFor(headers) !== undefined) {
        isReported = true
        onForwarded()
      }
      return socket.remoteAddress
    }
  }
  if (typeof trusted === "number") return clientAddress((_, hop) => hop < trusted)
  const networks = makeAllowedNetworks(trusted)
  return clientAddress((address) => isAllowed(networks, address))
}
