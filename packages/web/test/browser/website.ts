/** Serves a website on another origin, with a different host name and port. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Website {
  readonly url: string
  readonly close: () => void
}

export const website = async (html: string, policy: string): Promise<Website> => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.setHeader("content-security-policy", policy)
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => server.close()
  }
}
