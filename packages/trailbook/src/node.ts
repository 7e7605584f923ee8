/**
 * Creates request listeners for Node's HTTP server and for frameworks based on it, such as Express, Fastify, and
 * Connect.
 */
import { getRequestListener } from "@hono/node-server"
import { Buffer } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Trailbook } from "./embed/Trailbook.ts"

/**
 * Creates a listener for `http.createServer`, which also works as a handler for `app.use`. If a body parser has already
 * read the body, the listener uses `request.body` as JSON, text, or bytes.
 *
 * @example
 * app.use("/booking", toNodeHandler(trailbook))
 */
export const toNodeHandler = (
  { handler }: Pick<Trailbook, "handler">
): (request: IncomingMessage, response: ServerResponse) => Promise<void> => {
  const listener = getRequestListener(
    (request, { incoming }) => handler(request, { remoteAddress: incoming.socket.remoteAddress }),
    // Set a host name for HTTP/1.0 requests, which have no Host header. Some load balancers still send them as health
    // checks.
    { overrideGlobalObjects: false, hostname: "localhost" }
  )
  return async (request: IncomingMessage & { readonly body?: unknown; rawBody?: unknown }, response) => {
    if (request.readableDidRead && request.body !== undefined && !Buffer.isBuffer(request.rawBody)) {
      request.rawBody = bytesOf(request.body)
    }
    await listener(request, response)
  }
}

/**
 * Converts a parsed body to bytes. A string is treated as the raw body, because a parsed JSON string is never a valid
 * request.
 */
const bytesOf = (body: unknown): Buffer => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
}
