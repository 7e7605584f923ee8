/**
 * A load generator. It runs several clients, each with one call in flight, at maximum speed or at a fixed rate. Over
 * HTTP, it runs in a separate process, so that the server's CPU time does not include client work.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadResult {
  readonly calls: number
  readonly perSecond: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>
}

export interface Clients {
  readonly clients: number
  /** The number of calls. Set either this or `seconds`. */
  readonly calls?: number
  readonly seconds?: number
  /**
   * Maximum calls per second. Two servers are compared by CPU time at the same rate, because at maximum speed a server
   * also spends CPU time waking the client after each response.
   */
  readonly pace?: number
}

export interface Load extends Clients {
  readonly port: number
  readonly key?: string
  readonly next: (call: number) => Call
  /** The call that the client makes after a 201 response. The pair counts as a single call. */
  readonly after?: (answer: ReturnType<typeof JSON.parse>) => Call
}

export interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** Runs the load against any function that returns an HTTP status. */
export const drive = async (
  { calls = Infinity, clients, pace, seconds = Infinity }: Clients,
  send: (call: number) => Promise<number>
): Promise<LoadResult> => {
  const times: Array<number> = []
  const statuses: Record<number, number> = {}
  let startedCalls = 0
  const startedAt = performance.now()
  const runClient = async (): Promise<void> => {
    while (startedCalls < calls && performance.now() < startedAt + seconds * 1000) {
      const due = pace === undefined ? 0 : startedAt + (startedCalls / pace) * 1000
      const call = startedCalls++
      if (due > performance.now()) await setTimeout(due - performance.now())
      const from = performance.now()
      const status = await send(call)
      times.push(performance.now() - from)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  const elapsed = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const quantile = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { calls: times.length, perSecond: times.length / elapsed, p50: quantile(0.5), p99: quantile(0.99), statuses }
}

export const load = async ({ after, key, next, port, ...clients }: Load): Promise<LoadResult> => {
  const wires = await Promise.all(Array.from({ length: clients.clients }, () => openWire(port)))
  const free = [...wires]
  try {
    return await drive(clients, async (call) => {
      // Use the connection that has been idle the longest, because the server closes connections that have been idle
      // for a few seconds.
      const wire = free.shift()
      if (wire === undefined) throw new Error("More calls are in flight than there are clients.")
      const first = await wire.send(formatRequest(next(call), key))
      const last = after === undefined || first.status !== 201
        ? first
        : await wire.send(formatRequest(after(JSON.parse(first.body.toString())), key))
      free.push(wire)
      return last.status
    })
  } finally {
    for (const wire of wires) wire.close()
  }
}

/** Opens one connection, for calls that depend on previous responses. */
export const wire = async ({ key, port }: Pick<Load, "port" | "key">) => {
  const { close, send } = await openWire(port)
  return { close, call: (call: Call) => send(formatRequest(call, key)) }
}

const formatRequest = ({ body, headers: callHeaders = {}, method, path }: Call, key: string | undefined): string => {
  const content = body === undefined ? "" : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...Object.entries(callHeaders).map(([name, value]) => `${name}: ${value}`),
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(content)}`])
  ]
  return `${headers.join("\r\n")}\r\n\r\n${content}`
}

/** Decodes a chunked body (RFC 9112, section 7.1) once its last chunk has arrived. */
const decodeChunks = (chunked: Buffer): Buffer | undefined => {
  const parts: Array<Buffer> = []
  let at = 0
  while (true) {
    const end = chunked.indexOf("\r\n", at)
    if (end === -1) return undefined
    const size = parseInt(chunked.toString("latin1", at, end), 16)
    at = end + 2 + size + 2
    if (chunked.length < at) return undefined
    if (size === 0) return Buffer.concat(parts)
    parts.push(chunked.subarray(end + 2, end + 2 + size))
  }
}

/**
 * Opens a connection with at most one request in flight. It parses only enough HTTP to find the end of a response,
 * because Node's own client would use about as much CPU time as the server, which runs on the same machine.
 */
const openWire = async (port: number) => {
  const socket = connect(port, "127.0.0.1").setNoDelay(true)
  await once(socket, "connect")
  let buffer = Buffer.alloc(0)
  let resolveAnswer: (answer: Answer) => void = () => {}
  let rejectAnswer: (error: Error) => void = () => {}
  socket.on("data", (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const headEnd = buffer.indexOf("\r\n\r\n")
    if (headEnd === -1) return
    const length = /\r\ncontent-length: (\d+)/i.exec(buffer.toString("latin1", 0, headEnd))?.[1]
    const rest = buffer.subarray(headEnd + 4)
    const body = length === undefined ? decodeChunks(rest) : rest.length < Number(length) ? undefined : rest
    if (body === undefined) return
    const answer = { status: Number(buffer.toString("latin1", 9, 12)), body }
    buffer = Buffer.alloc(0)
    resolveAnswer(answer)
  })
  socket.on("error", (error) => rejectAnswer(error))
  socket.on("close", () => rejectAnswer(new Error("The server closed the connection.")))
  return {
    close: () => socket.destroy(),
    send: (request: string) =>
      new Promise<Answer>((resolve, reject) => {
        resolveAnswer = resolve
        rejectAnswer = reject
        if (socket.destroyed) reject(new Error("The server has already closed the connection."))
        socket.write(request)
      })
  }
}
