/** Sends raw bytes that `fetch` would never send. */
import { connect, type Socket } from "node:net"

export interface Raw {
  readonly status: number
  readonly head: string
  readonly body: string
}

export const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket))
    socket.once("error", reject)
  })

/** Reads until the other side closes or resets the connection. */
export const untilClosed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8")
    })
    socket.on("error", () => {})
    socket.once("close", () => resolve(text))
  })

export const parseResponse = (text: string): Raw => {
  const end = text.indexOf("\r\n\r\n")
  const head = text.slice(0, end)
  return { status: Number(head.split(" ")[1]), head, body: text.slice(end + 4) }
}

/** Sends the bytes on a new connection and reads the response. The request must ask to close the connection. */
export const send = async (port: number, bytes: string | Uint8Array): Promise<Raw> => {
  const socket = await open(port)
  const answer = untilClosed(socket)
  socket.write(bytes)
  return parseResponse(await answer)
}

export const request = (
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = ""
): string => [line, "Host: 127.0.0.1", "Connection: close", ...lines(headers), "", body].join("\r\n")

const lines = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
