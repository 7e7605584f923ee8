import { makeGetClientAddress, readForwardedFor } from "@trailbook/http/request/getClientAddress"
import type { Options } from "@trailbook/http/serve"
import { makeSettingType, type SettingType } from "@trailbook/runtime/setting/SettingType"
import { findNetworkError, isAllowedAddress, makeAllowedNetworks } from "@trailbook/webhook/addresses"

/** The trusted proxies, given as their networks or as the number of proxies that a request passes through. */
export type TrustedProxies = number | ReadonlyArray<string>

const most = 10

/** Accepts `loopback` (all loopback networks), `10.0.0.0/8,fd00::/8`, or a number such as `2`. */
export const trustedProxies: SettingType<TrustedProxies> = makeSettingType(
  "<proxies>",
  `loopback, comma-separated networks such as 10.0.0.0/8, or a proxy count from 1 to ${most}`,
  (text) => {
    if (/^\d{1,15}$/.test(text)) {
      const proxies = Number(text)
      return proxies >= 1 && proxies <= most ? proxies : undefined
    }
    const networks = text.split(",").flatMap((part) => part.trim() === "loopback" ? loopback : [part.trim()])
    return networks.every((network) => findNetworkError(network) === undefined) ? networks : undefined
  }
)

const loopback = ["127.0.0.0/8", "::1"]

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
