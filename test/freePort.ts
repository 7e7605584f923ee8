import { createServer } from "node:net"

/**
 * Returns a port of this machine that is free. It is below the ports of outgoing connections, so that a test can stop a
 * server and start it again on its port.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
