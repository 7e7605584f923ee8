/**
 * Determines which addresses a delivery may connect to.
 *
 * Addresses are allowed by list, not blocked by list. Allowed are IPv4 addresses that the registry of special addresses
 * does not contain, and IPv6 addresses in 2000::/3, the only range for global unicast, except special ranges. All other
 * addresses are blocked, and so are addresses that cannot be parsed.
 */
import ipaddr from "ipaddr.js"
import { BlockList, isIP } from "node:net"

/** Networks that the operator allows in addition. */
export type AllowedNetworks = BlockList

/**
 * Returns the problem with a network in CIDR notation, as the continuation of a sentence that starts with the
 * network, or undefined. A single address is a network, too.
 *
 * @example
 * import { networkError } from "@trailbook/webhook/addresses"
 *
 * networkError("127.0.0.0/8") // undefined
 * networkError("10/8") // "must be a network such as 10.0.0.0/8 or fd00::/8"
 */
export const networkError = (network: string): string | undefined => {
  const [address = "", length, ...rest] = network.split("/")
  const family = isIP(address)
  const bits = length === undefined ? 0 : Number(length)
  const isNetwork = rest.length === 0 && family !== 0 && !address.includes("%") &&
    (length === undefined || /^\d{1,3}$/.test(length)) && bits <= (family === 4 ? 32 : 128)
  if (!isNetwork) return "must be a network such as 10.0.0.0/8 or fd00::/8"
  // IPv4 addresses are compared as IPv4 in every notation.
  return family === 6 && unmapped(address)?.kind() === "ipv4" ? "must be written as IPv4" : undefined
}

/** Builds the list of allowed networks. An invalid network is a defect; validate it with {@link networkError}. */
export const allowNetworks = (networks: ReadonlyArray<string>): AllowedNetworks => {
  const list = new BlockList()
  for (const network of networks) {
    const objection = networkError(network)
    if (objection !== undefined) throw new Error(`${network} ${objection}`)
    const [address = "", length] = network.split("/")
    const family = isIP(address) === 4 ? "ipv4" : "ipv6"
    list.addSubnet(address, Number(length ?? (family === "ipv4" ? 32 : 128)), family)
  }
  return list
}

/** Whether the operator allows an address. */
export const isAllowed = (allowed: AllowedNetworks, address: string): boolean => {
  const plain = unmapped(address)
  return plain !== undefined && allowed.check(plain.toString(), plain.kind())
}

/** Whether an address is on the public internet. */
export const isPublic = (address: string): boolean => {
  const plain = unmapped(address)
  if (plain === undefined || plain.range() !== "unicast") return false
  return !closed.check(plain.toString(), plain.kind()) &&
    (plain.kind() === "ipv4" || global.check(plain.toString(), "ipv6"))
}

// ipaddr.js alone also accepts 0177.1, and treats ::8.8.8.8 as ::ffff:8.8.8.8. The input here comes from the system,
// and the URL parser normalizes it. An address with a zone is link-local.
const unmapped = (address: string) => {
  if (isIP(address) === 0 || address.includes("%")) return undefined
  return ipaddr.process(address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)
}

const global = allowNetworks(["2000::/3"])

// Most of these ranges are in ipaddr.js, too. They are repeated so that no release of it can allow them.
const closed = allowNetworks([
  // The metadata, DNS, and health check address of one cloud provider.
  "168.63.129.16",
  // Relays and translators, which can lead to an internal address.
  "192.88.99.0/24",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  // Benchmarks, discard, segment routing, site-local.
  "198.18.0.0/15",
  "100::/64",
  "5f00::/16",
  "fec0::/10"
])
