/**
 * Returns the network of an address. All addresses in a network share a limit. The network is the address itself for
 * IPv4, and the /64 prefix for IPv6. IPv4-mapped IPv6 addresses count as IPv4.
 */
export const toNetwork = (address: string): string => {
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (match !== null) return match[1] ?? address
  if (!address.includes(":") || address.includes(".")) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const gap = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(gap).fill("0"), ...after].slice(0, 4).map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")
}
