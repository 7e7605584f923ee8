import { Resolver as Channel } from "node:dns/promises"

/**
 * All addresses of a name, of both families; none, or a rejection, when it has
 * none. `signal` says when nobody waits any more.
 *
 * @category models
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

/**
 * Asks the name servers of this machine, or `servers`.
 *
 * Not `dns.lookup`: that keeps one of the four threads of the process for as long
 * as an answer takes, so that four tenants whose name servers are silent would
 * stop every other look-up and file access. It would also answer with names of
 * `/etc/hosts`, which are no tenant's business.
 *
 * @category constructors
 */
export const resolver = (servers?: ReadonlyArray<string>): Resolver => async (name, signal) => {
  // RFC 6761, 6.3: such a name is this machine, and no name server is asked.
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
