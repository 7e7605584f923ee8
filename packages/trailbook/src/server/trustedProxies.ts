import { clientAddress, forwardedFor } from "@trailbook/http/clientAddress"
import type { Options } from "@trailbook/http/serve"
import { allowNetworks, isAllowed } from "@trailbook/webhook/addresses"
import type { TrustedProxies } from "../setting/trustedProxies.ts"

/** Whether a peer is a proxy that is trusted to name its callers. Many callers share its address. */
export const isProxyBy = (trusted: TrustedProxies | undefined): NonNullable<Options["isProxy"]> => {
  if (trusted === undefined) return () => false
  if (typeof trusted === "number") return () => trusted > 0
  const networks = allowNetworks(trusted)
  return (address) => isAllowed(networks, address)
}

/**
 * Whose a request is, by the proxies in front that are trusted to say so. Where
 * none is, it is the other end of the socket's; and `onForwarded` is told, once,
 * that something else stands there.
 */
export const remoteAddressBy = (
  trusted: TrustedProxies | undefined,
  onForwarded: () => void
): NonNullable<Options["remoteAddressOf"]> => {
  if (trusted === undefined) {
    let told = false
    return ({ headers, socket }) => {
      if (!told && forwardedFor(headers) !== undefined) {
        told = true
        onForwarded()
      }
      return socket.remoteAddress
    }
  }
  if (typeof trusted === "number") return clientAddress((_, hop) => hop < trusted)
  const networks = allowNetworks(trusted)
  return clientAddress((address) => isAllowed(networks, address))
}
