/**
 * Decides whether a delivery may connect to an address.
 *
 * The check is an allowlist. It allows IPv4 addresses outside the special-purpose registry, and IPv6 addresses in
 * 2000::/3 (the only global unicast range) except for its special-purpose ranges. All other addresses and invalid text
 * are blocked.
 */
import ipaddr from "ipaddr.js"
import { BlockList, isIP } from "node:net"

/** The networks that the operator allows. */
export type AllowedNetworks = BlockList

/**
 * Returns the error for a network in CIDR notation, or undefined if it is valid. The error message completes a sentence
 * that starts with the network. A single address is also a valid network.
 *
 * @example
 * import { findNetworkError } from "@trailbook/webhook/addresses"
 *
 * findNetworkError("127.0.0.0/8") // undefined
 * findNetworkError("10/8") // "must be a network such as 10.0.0.0/8 or fd00::/8"
 */
export const findNetworkError = (network: string): string | undefined => {
  const [address = "", length, ...rest] = network.split("/")
  const family = isIP(address)
  const bits = length === undefined ? 0 : Number(length)
  const isNetwork = rest.length === 0 && family !== 0 && !address.includes("%") &&
    (length === undefined || /^\d{1,3}$/.test(length)) && bits <= (family === 4 ? 32 : 128)
  if (!isNetwork) return "must be a network such as 10.0.0.0/8 or fd00::/8"
  // An IPv4-mapped network would never match, because IPv4 addresses are always compared as IPv4.
  return family === 6 && unmapAddress(address)?.kind() === "ipv4" ? "must be in IPv4 notation" : undefined
}

/**
 * Builds the list of allowed networks. An invalid network is a defect, so validate it with {@link findNetworkError}.
 */
export const makeAllowedNetworks = (networks: ReadonlyArray<string>): AllowedNetworks => {
  const list = new BlockList()
  for (const network of networks) {
    const objection = findNetworkError(network)
    if (objection !== undefined) throw new Error(`${network} ${objection}`)
    const [address = "", length] = network.split("/")
    const family = isIP(address) === 4 ? "ipv4" : "ipv6"
    list.addSubnet(address, Number(length ?? (family === "ipv4" ? 32 : 128)), family)
  }
  return list
}

/** Whether one of the operator's networks contains an address. */
export const isAllowedAddress = (networks: AllowedNetworks, address: string): boolean => {
  const plain = unmapAddress(address)
  return plain !== undefined && networks.check(plain.toString(), plain.kind())
}

/** Whether an address is on the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const plain = unmapAddress(address)
  if (plain === undefined || plain.range() !== "unicast") return false
  return !blockedNetworks.check(plain.toString(), plain.kind()) &&
    (plain.kind() === "ipv4" || global.check(plain.toString(), "ipv6"))
}

// ipaddr.js accepts 0177.1 and treats ::8.8.8.8 as ::ffff:8.8.8.8, so `isIP` and the URL parser validate the text
// first. An address with a zone is always link-local.
const unmapAddress = (address: string) => {
  if (isIP(address) === 0 || address.includes("%")) return undefined
  return ipaddr.process(address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)
}

const global = makeAllowedNetworks(["2000::/3"])

// ipaddr.js knows most of these ranges, but this list must not depend on the library's version.
const blockedNetworks = makeAllowedNetworks([
  // A cloud provider's address for metadata, DNS, and health checks.
  "168.63.129.16",
  // Relays and translators can forward to internal addresses.
  "192.88.99.0/24",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  // Benchmarking, discard-only, segment routing, and site-local ranges.
  "198.18.0.0/15",
  "100::/64",
  "5f00::/16",
  "fec0::/10"
])
