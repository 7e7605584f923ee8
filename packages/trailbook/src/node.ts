/**
 * Trailbook's handler for Node's own server, and for what is built on it: Express,
 * Fastify, Connect.
 */
import { getRequestListener } from "@hono/node-server"
import { Buffer } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Trailbook } from "./embed/Trailbook.ts"

/**
 * A listener for `http.createServer`, and a handler for `app.use`. A body that a
 * parser before it has read is taken from `request.body`, as JSON, text or bytes.
 *
 * @example
 * app.use("/booking", toNodeHandler(trailbook))
 */
export const toNodeHandler = (
  { handler }: Pick<Trailbook, "handler">
): (request: IncomingMessage, response: ServerResponse) => Promise<void> => {
  const listener = getRequestListener(
    (request, { incoming }) => handler(request, { remoteAddress: incoming.socket.remoteAddress }),
    // HTTP/1.0 has no Host, and load balancers still probe with it.
    { overrideGlobalObjects: false, hostname: "localhost" }
  )
  return async (request: IncomingMessage & { readonly body?: unknown; rawBody?: unknown }, response) => {
    if (request.readableDidRead && request.body !== undefined && !Buffer.isBuffer(request.rawBody)) {
      request.rawBody = bytesOf(request.body)
    }
    await listener(request, response)
  }
}

/** Text is what was sent: were it a JSON value that was read, it would be no object, and so no request of ours. */
const bytesOf = (body: unknown): Buffer => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
}
