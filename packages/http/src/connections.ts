/**
 * A server's connections, and how many there may be.
 *
 * Whoever opens one and says nothing costs a guest their place once there are no
 * more. So at the limit the oldest connection that waits for its caller gives way
 * to a new one: first those that never asked anything, then those that are between
 * two requests. One whose request is being answered never does; are they all such,
 * the new one is hung up on.
 */
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * @category models
 */
export interface Connections {
  /** Oldest first. */
  readonly open: ReadonlySet<Socket>
}

/**
 * Keeps account of a server's connections from now on, and never more than `most`
 * of them.
 *
 * @category constructors
 */
export const connectionsOf = (server: Server, most: number): Connections => {
  const open = new Set<Socket>()
  server.on("connection", (socket) => {
    if (open.size >= most) {
      const waiting = longestWaiting(open)
      if (waiting === undefined) return void socket.destroy()
      open.delete(waiting)
      waiting.destroy()
    }
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  return { open }
}

const longestWaiting = (open: ReadonlySet<Socket>): Socket | undefined => {
  let between: Socket | undefined
  for (const socket of open) {
    if (answering(socket)?.req.complete === true) continue
    if (socket.bytesWritten === 0) return socket
    between ??= socket
  }
  return between
}

/**
 * The answer that is under way on a connection. Node keeps it in a private field,
 * and its own handlers look there; there is no public one.
 *
 * @category getters
 */
export const answering = (
  socket: object & { readonly _httpMessage?: ServerResponse | null }
): ServerResponse | undefined => socket._httpMessage ?? undefined
