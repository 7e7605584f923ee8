/**
 * A minimal connection pooler in transaction mode. A client's consecutive transactions run in different sessions, so no
 * session state carries over.
 */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Client } from "pg"

/** The number of sessions per client connection. */
const sessions = 2

export interface Pooler {
  readonly url: string
  /** Stops all responses, as if the network were down. */
  readonly freeze: () => void
}

/** Runs a pooler in front of the database at this URL until the scope closes. */
export const pooler = (url: string) =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(() => start(url)), ({ stop }) => Effect.promise(stop)),
    (instance): Pooler => instance
  )

const start = async (url: string) => {
  let frozen = false
  const ends: Array<() => void> = []
  const server = createServer((socket) => {
    ends.push(() => socket.destroy())
    socket.on("error", () => socket.destroy())
    if (!frozen) void serve(socket, url, () => frozen, ends)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const at = new URL(url)
  at.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return {
    url: at.href,
    freeze: () => {
      frozen = true
    },
    stop: async () => {
      for (const end of ends) end()
      server.close()
      await once(server, "close")
    }
  }
}

const serve = async (socket: Socket, url: string, frozen: () => boolean, ends: Array<() => void>) => {
  const turns: Array<Duplex> = []
  // The startup message requests a session. The pooler responds like a database that needs no password.
  const [startup] = await Promise.all([
    once(socket, "data"),
    ...Array.from({ length: sessions }, async () => turns.push(await session(url)))
  ])
  for (const stream of turns) {
    ends.push(() => stream.destroy())
    socket.on("close", () => stream.destroy())
    const isOver = endsOfTransactions()
    stream.on("data", (chunk: Buffer) => {
      if (isOver(chunk)) turns.push(...turns.splice(0, 1))
      if (!frozen()) socket.write(chunk)
    })
    stream.on("close", () => socket.destroy())
  }
  if (startup.length === 0) return
  socket.on("data", (chunk) => frozen() || turns[0]?.write(chunk))
  socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, ...readyForQuery]))
}

/** A ready-for-query message (`Z`) without an open transaction. */
const readyForQuery = [90, 0, 0, 0, 5, 73]

/** Opens an authenticated connection and returns its byte stream. */
const session = async (url: string): Promise<Duplex> => {
  const client = new Client({ connectionString: url }).on("error", () => {})
  await client.connect()
  const { stream } = client.connection
  stream.removeAllListeners("data")
  return stream
}

/**
 * Returns a function that parses a session's messages chunk by chunk, and returns whether a transaction ended in the
 * chunk.
 */
const endsOfTransactions = () => {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer): boolean => {
    rest = Buffer.concat([rest, chunk])
    let isReady = false
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1)
      if (rest[0] === readyForQuery[0] && rest[5] === readyForQuery[5]) isReady = true
      rest = rest.subarray(length)
    }
    return isReady
  }
}
