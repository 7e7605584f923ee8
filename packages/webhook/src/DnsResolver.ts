import { Resolver as Channel } from "node:dns/promises"

/**
 * Returns all IPv4 and IPv6 addresses for a name. If the name has no address, returns an empty list or rejects.
 * `signal` aborts the lookup.
 */
export type DnsResolver = (name: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

/**
 * Resolves names with the system's name servers, or with `servers`.
 *
 * `dns.lookup` occupies one of the four threads in the process's thread pool. Four tenants with unresponsive name
 * servers would block all other lookups and file access. `dns.lookup` also reads `/etc/hosts`, and tenants must not
 * reach the hosts listed there.
 */
export const makeDnsResolver = (servers?: ReadonlyArray<string>): DnsResolver => async (name, signal) => {
  // RFC 6761, section 6.3: localhost names refer to this machine, and resolvers must not send them to a name server.
  if (/(^|\.)localhost$/i.test(name)) return ["127.0.0.1"]
  const channel = new Channel({ timeout: 1000, tries: 2 })
  if (servers !== undefined) channel.setServers(servers)
  const cancel = () => channel.cancel()
  signal.addEventListener("abort", cancel)
  try {
    const answers = await Promise.allSettled([channel.resolve4(name), channel.resolve6(name)])
    return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : [])
  } finally {
    signal.removeEventListener("abort", cancel)
  }
}
