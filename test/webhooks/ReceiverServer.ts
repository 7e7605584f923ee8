/**
 * Receivers on loopback, each with a separate path on one server. They respond according to a script and record the
 * requests.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Dice } from "../reliability/dice.ts"
import type { Script } from "./scripts.ts"

export interface Arrival {
  readonly eventId: number
  readonly body: string
  readonly header: string | undefined
  /** The time on the system clock, which the servers also use. */
  readonly at: number
  /** The number of concurrent requests to this receiver, including this request. */
  readonly inFlight: number
  /** The time when the status was sent, or when the connection closed without a status. */
  endedAt: number | undefined
  status: number | undefined
}

export interface Receiver {
  readonly name: string
  readonly url: string
  /** The requests in arrival order. */
  readonly arrivals: ReadonlyArray<Arrival>
}

export interface ReceiverServer {
  readonly receiver: (name: string, script: Script) => Receiver
  readonly close: () => Promise<void>
}

interface Seat extends Receiver {
  readonly arrivals: Array<Arrival>
  readonly script: Script
  readonly dice: Dice
  inFlight: number
}

export const startReceivers = async (dice: Dice): Promise<ReceiverServer> => {
  const seats = new Map<string, Seat>()
  const server = createServer((request, response) => {
    const seat = seats.get(request.url ?? "")
    if (seat === undefined) return void response.writeHead(404).end()
    void receive(seat, request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    receiver: (name, script) => {
      const url = `http://127.0.0.1:${port}/${name}`
      const seat = { name, url, arrivals: [], script, dice: dice.for(name), inFlight: 0 }
      seats.set(`/${name}`, seat)
      return seat
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

const receive = async (seat: Seat, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const inFlight = ++seat.inFlight
  const at = Date.now()
  let arrival: Arrival | undefined
  let isOver = false
  const endResponse = (status: number | undefined) => {
    if (isOver) return
    isOver = true
    seat.inFlight--
    if (arrival !== undefined) Object.assign(arrival, { endedAt: Date.now(), status })
  }
  response.once("close", () => endResponse(undefined))
  // A sender that was killed during its request does not get a response.
  const body = await readText(request).catch(() => undefined)
  if (body === undefined) return endResponse(undefined)
  arrival = { ...readHeaders(request), body, at, inFlight, endedAt: undefined, status: undefined }
  seat.arrivals.push(arrival)
  await seat.script({
    dice: seat.dice,
    response,
    head: (status, headers) => {
      endResponse(status)
      return response.writeHead(status, headers)
    }
  })
}

const readHeaders = ({ headers }: IncomingMessage): Pick<Arrival, "eventId" | "header"> => ({
  eventId: Number(headers["service-event-id"]),
  header: headers["service-signature"]?.toString()
})

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}
