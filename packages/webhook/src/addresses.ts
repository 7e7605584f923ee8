/**
 * Which addresses a delivery may go to.
 *
 * What is open is listed, not what is closed: an IPv4 address that the registry
 * of special addresses does not name, or an IPv6 address within 2000::/3, the
 * only part of that space that is given out for unicast, less what is set aside
 * in there. All else is closed, and so is whatever cannot be read.
 */
import ipaddr from "ipaddr.js"
import { BlockList, isIP } from "node:net"

/**
 * Addresses that the operator opens, whatever they are.
 *
 * @category models
 */
export type AllowedNetworks = BlockList

/**
 * Says what is wrong with a network in CIDR notation, as a sentence that goes on
 * after its name, or undefined. An address alone is a network of its own.
 *
 * @example
 * import { networkError } from "@trailbook/webhook/addresses"
 *
 * networkError("127.0.0.0/8") // undefined
 * networkError("10/8") // "must be a network such as 10.0.0.0/8 or fd00::/8"
 *
 * @category parsing
 */
export const networkError = (network: string): string | undefined => {
  const [address = "", length, ...rest] = network.split("/")
  const family = isIP(address)
  const bits = length === undefined ? 0 : Number(length)
  const isNetwork = rest.length === 0 && family !== 0 && !address.includes("%") &&
    (length === undefined || /^\d{1,3}$/.test(length)) && bits <= (family === 4 ? 32 : 128)
  if (!isNetwork) return "must be a network such as 10.0.0.0/8 or fd00::/8"
  // Addresses of IPv4 are compared as such, however they are written.
  return family === 6 && unmapped(address)?.kind() === "ipv4" ? "must be written as IPv4" : undefined
}

/**
 * One that is no network is a defect: {@link networkError} tells before.
 *
 * @category constructors
 */
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

/**
 * Whether the operator has opened an address.
 *
 * @category predicates
 */
export const isAllowed = (allowed: AllowedNetworks, address: string): boolean => {
  const plain = unmapped(address)
  return plain !== undefined && allowed.check(plain.toString(), plain.kind())
}

/**
 * Whether an address is one of the public internet, at which anybody may be.
 *
 * @category predicates
 */
export const isPublic = (address: string): boolean => {
  const plain = unmapped(address)
  if (plain === undefined || plain.range() !== "unicast") return false
  return !closed.check(plain.toString(), plain.kind()) &&
    (plain.kind() === "ipv4" || global.check(plain.toString(), "ipv6"))
}

// Not ipaddr.js alone, which reads 0177.1 as well, and takes ::8.8.8.8 for ::ffff:8.8.8.8: what comes here are
// addresses of the system, and the URL parser writes them in one way each. One with a zone is of a local link.
const unmapped = (address: string) => {
  if (isIP(address) === 0 || address.includes("%")) return undefined
  return ipaddr.process(address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)
}

const global = allowNetworks(["2000::/3"])

// Named here, although most of it is in ipaddr.js too, so that no release of it can open them.
const closed = allowNetworks([
  // Answers machines of one cloud only: its metadata, DNS and health checks.
  "168.63.129.16",
  // Relays and translators, behind which an address of the inner network may stand.
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
