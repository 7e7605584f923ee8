/**
 * Adds an API key to requests, because the suite cannot send an API key. The `Host` and `Origin` headers pass through
 * unchanged.
 */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

export interface Proxy {
  readonly url: string
  readonly close: () => Promise<void>
}

export const proxy = async (target: string, key: string): Promise<Proxy> => {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const upstream = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    )
    upstream.on("error", (error) => outgoing.destroy(error))
    incoming.pipe(upstream)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}
