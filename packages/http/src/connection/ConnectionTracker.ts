/**
 * Tracks a server's connections and limits their number, both in total and per network.
 *
 * Idle connections must not lock out guests, so when a limit is reached, a new connection replaces an idle one. The
 * tracker closes the oldest connection that has never sent a request. If there is none, it closes the oldest connection
 * between requests, or else the oldest one whose client is not reading its response. A connection with a request in
 * progress is never closed. If every connection has a request in progress, the new one is rejected.
 */
import { toNetwork } from "@trailbook/core/actor"
import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { sharedUnsentByteTracker } from "../response/UnsentByteTracker.ts"

export interface ConnectionTracker {
  /** The open connections, oldest first. */
  readonly openSockets: ReadonlySet<Socket>
}

export interface Options {
  readonly max: number
  /** The maximum number of connections per IPv4 address or IPv6 /64 network. */
  readonly maxPerNetwork: number
  /** Whether the address belongs to a proxy that many callers share. Only `max` applies to such a proxy. */
  readonly isProxy?: ((address: string) => boolean) | undefined
}

export const trackConnections = (server: Server, { isProxy, max, maxPerNetwork }: Options): ConnectionTracker => {
  const open = new Set<Socket>()
  const socketsByNetwork = new Map<string, Set<Socket>>()

  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    const network = isProxy?.(address) === true ? undefined : toNetwork(address)
    const neighbors = network === undefined ? undefined : socketsByNetwork.get(network) ?? new Set<Socket>()
    const crowdedSockets = neighbors !== undefined && neighbors.size >= maxPerNetwork
      ? neighbors
      : open.size >= max
      ? open
      : undefined
    if (crowdedSockets !== undefined) {
      const waitingSocket = findLongestIdle(crowdedSockets)
      if (waitingSocket === undefined) return void socket.destroy()
      releaseBySocket.get(waitingSocket)?.()
      waitingSocket.destroy()
    }
    open.add(socket)
    if (network !== undefined && neighbors !== undefined) socketsByNetwork.set(network, neighbors.add(socket))
    const removeUnsent = sharedUnsentByteTracker.add({
      source: network ?? socket,
      bytes: () => socket.writableLength,
      abort: () => void socket.destroy()
    })
    const close = () => {
      removeUnsent()
      open.delete(socket)
      neighbors?.delete(socket)
      if (network !== undefined && neighbors?.size === 0) socketsByNetwork.delete(network)
    }
    releaseBySocket.set(socket, close)
    socket.once("close", close)
  })
  return { openSockets: open }
}

/**
 * Maps each socket to the function that stops tracking its connection, even if the socket has not closed yet.
 */
const releaseBySocket = new WeakMap<Socket, () => void>()

const findLongestIdle = (open: ReadonlySet<Socket>): Socket | undefined => {
  let idleSocket: Socket | undefined
  let unreadSocket: Socket | undefined
  for (const socket of open) {
    if (getInFlightResponse(socket)?.req.complete === true) {
      if (socket.writableLength > 0) unreadSocket ??= socket
      continue
    }
    if (socket.bytesWritten === 0) return socket
    idleSocket ??= socket
  }
  return idleSocket ?? unreadSocket
}

/**
 * Returns the response in flight on a connection. Node has no public accessor for it, so this reads the private field
 * that Node's own handlers use.
 */
export const getInFlightResponse = (
  socket: object & { readonly _httpMessage?: ServerResponse | null }
): ServerResponse | undefined => socket._httpMessage ?? undefined

/**
 * Processes each connection's requests sequentially. Otherwise, the server would process all pipelined requests at once
 * and buffer all of their responses. A connection with more than 16 queued requests is closed.
 */
export const processRequestsSequentially = <Incoming extends { readonly socket: Socket }>(
  handle: (incoming: Incoming, outgoing: ServerResponse) => void
): (incoming: Incoming, outgoing: ServerResponse) => void => {
  const queueLengths = new WeakMap<Socket, number>()
  return (incoming, outgoing) => {
    // Node assigns the socket to a response once all earlier ones have been sent.
    if (outgoing.socket !== null) return handle(incoming, outgoing)
    const { socket } = incoming
    const queueLength = (queueLengths.get(socket) ?? 0) + 1
    if (queueLength > maxQueuedRequests) return void socket.destroy()
    queueLengths.set(socket, queueLength)
    outgoing.once("socket", () => {
      queueLengths.set(socket, (queueLengths.get(socket) ?? 1) - 1)
      handle(incoming, outgoing)
    })
  }
}

const maxQueuedRequests = 16
