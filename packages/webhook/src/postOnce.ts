import * as Effect from "effect/Effect"
import { type OutgoingHttpHeaders, request } from "node:http"
import type { Socket } from "node:net"
import type { Destination } from "./Destination.ts"

export interface RawResponse {
  readonly status: number
  /** Whether the response is complete and the receiver is keeping the connection open. */
  readonly reusable: boolean
}

/**
 * Posts a body on an open connection. Returns the status and discards the response body without waiting for all of it.
 * Most receivers send the complete response along with the status, which makes the connection reusable.
 *
 * The caller must close the connection, even if the call is interrupted.
 */
export const postOnce = (
  socket: Socket,
  { authority, path }: Destination,
  headers: OutgoingHttpHeaders,
  body: Buffer
): Effect.Effect<RawResponse, "connection" | "tls"> =>
  Effect.async((resume) => {
    const message = request({
      createConnection: () => socket,
      method: "POST",
      path,
      headers: { Host: authority, ...headers, "Content-Length": body.length, Connection: "keep-alive" },
      maxHeaderSize: 16_384
    })
    let hasResponse = false
    let isFree = false
    // Node emits `free` after it has read a complete response, if the connection stays open.
    socket.once("free", () => isFree = true)
    message.once("response", (response) => {
      hasResponse = true
      response.on("error", onEnd).resume()
      // Let Node read the data that has already arrived in this turn of the event loop. Waiting for more data would
      // delay the result.
      setImmediate(() => {
        resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: isFree }))
      })
    })
    message.once("upgrade", (response) => resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: false })))
    message.on("error", (error: NodeJS.ErrnoException) => {
      // Once the status has arrived, errors in the response body do not matter.
      if (hasResponse) return
      // In TLS 1.3, a receiver rejects a missing client certificate only after the handshake.
      resume(Effect.fail(error.code?.startsWith("ERR_SSL") === true ? "tls" : "connection"))
    })
    message.end(body)
  })

const onEnd = () => {}
