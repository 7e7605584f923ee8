import { createServer } from "node:net"

/**
 * Returns a free port on this machine. The port is below the range used for outgoing connections, so that a test can
 * stop a server and restart it on the same port.
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
