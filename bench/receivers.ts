/**
 * Receivers that parse only enough HTTP to find the end of a request. Node's own server would use more CPU time than
 * the sender under measurement, and both run on the same machine.
 */
import { once } from "node:events"
import { createServer, type Socket } from "node:net"

export interface Receivers {
  readonly urls: ReadonlyArray<string>
  /** Returns the body of the latest request. */
  readonly body: () => string
  /** Resolves once this many requests have arrived since the previous call. */
  readonly arrived: (requests: number) => Promise<void>
  readonly close: () => Promise<void>
}

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

export const listen = async (receivers: number): Promise<Receivers> => {
  const sockets = new Set<Socket>()
  let body = ""
  let requestCount = 0
  let target = Infinity
  let enough: () => void = () => {}
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true))
    let buffer = Buffer.alloc(0)
    socket.on("data", (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
      const head = buffer.indexOf("\r\n\r\n")
      if (head === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(buffer.toString("latin1", 0, head))?.[1])
      if (buffer.length < head + 4 + length) return
      body = buffer.toString("utf8", head + 4)
      buffer = Buffer.alloc(0)
      socket.write(answer)
      if (++requestCount >= target) enough()
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    urls: Array.from({ length: receivers }, (_, at) => `http://127.0.0.1:${port}/${at}`),
    body: () => body,
    arrived: async (requests) => {
      if (requestCount < requests) {
        await new Promise<void>((resolve) => {
          target = requests
          enough = resolve
        })
      }
      requestCount -= requests
      target = Infinity
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}
