import { Resolver as Channel } from "node:dns/promises"

/**
 * Resolves all IPv4 and IPv6 addresses of a name. Returns an empty list or rejects if it has none. `signal` aborts the
 * lookup.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

/**
 * Resolves with the name servers of this machine, or `servers`.
 *
 * `dns.lookup` is not used, because it blocks one of the four threads of the process until the response. Four tenants
 * with unresponsive name servers would block every other lookup and file access. It would also use names of
 * `/etc/hosts`, which tenants must not reach.
 */
export const resolver = (servers?: ReadonlyArray<string>): Resolver => async (name, signal) => {
  // RFC 6761, 6.3: such a name is this machine and must not be sent to a name server.
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
