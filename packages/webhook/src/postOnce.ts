import * as Effect from "effect/Effect"
import { type OutgoingHttpHeaders, request } from "node:http"
import type { Socket } from "node:net"
import type { Destination } from "./Destination.ts"

/**
 * @category models
 */
export interface RawResponse {
  readonly status: number
  /** The whole answer has come and the receiver keeps the connection open. */
  readonly reusable: boolean
}

/**
 * Posts a body over a connection. The status line is the answer: nobody waits for
 * a body, and nothing of one is kept. Where the rest of the answer came along with
 * the status line, as that of most receivers does, the connection is fit for
 * another request.
 *
 * The caller closes the connection, also when this is interrupted.
 *
 * @category effects
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
    let answered = false
    let free = false
    // Node's sign that a whole answer has been read from a connection that stays open.
    socket.once("free", () => free = true)
    message.once("response", (response) => {
      answered = true
      response.on("error", ended).resume()
      // What is here already is read within this turn of the event loop, and what is not is not waited for.
      setImmediate(() => {
        resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: free }))
      })
    })
    message.once("upgrade", (response) => resume(Effect.succeed({ status: response.statusCode ?? 0, reusable: false })))
    message.on("error", (error: NodeJS.ErrnoException) => {
      // The answer stands, whatever is wrong with its body.
      if (answered) return
      // In TLS 1.3 a receiver that wants a certificate of ours says so after the handshake.
      resume(Effect.fail(error.code?.startsWith("ERR_SSL") === true ? "tls" : "connection"))
    })
    message.end(body)
  })

const ended = () => {}
