import { makeGetClientAddress, readForwardedFor } from "@trailbook/http/request/getClientAddress"
import type { Options } from "@trailbook/http/serve"
import { isAllowedAddress, makeAllowedNetworks } from "@trailbook/webhook/addresses"
import type { TrustedProxies } from "./setting/trustedProxies.ts"

/**
 * Returns a predicate that detects trusted proxies by their address. The connection limit per network does not apply to
 * proxies, because many clients share a proxy's address.
 */
export const makeIsProxy = (trusted: TrustedProxies | undefined): NonNullable<Options["isProxy"]> => {
  if (trusted === undefined) return () => false
  if (typeof trusted === "number") return () => trusted > 0
  const networks = makeAllowedNetworks(trusted)
  return (address) => isAllowedAddress(networks, address)
}

/**
 * Determines the client address behind trusted proxies. Without trusted proxies, the client address is the peer
 * address, and `onForwarded` is called once, for the first request with a forwarded address.
 */
export const makeClientAddressReader = (
  trusted: TrustedProxies | undefined,
  onForwarded: () => void
): NonNullable<Options["remoteAddressOf"]> => {
  if (trusted === undefined) {
    let isReported = false
    return ({ headers, socket }) => {
      if (!isReported && readForwardedFor(headers) !== undefined) {
        isReported = true
        onForwarded()
      }
      return socket.remoteAddress
    }
  }
  if (typeof trusted === "number") return makeGetClientAddress((_, hop) => hop < trusted)
  const networks = makeAllowedNetworks(trusted)
  return makeGetClientAddress((address) => isAllowedAddress(networks, address))
}
