/**
 * Trailbook's handler for Node's own server, and for what is built on it: Express,
 * Fastify, Connect.
 *
 * @since 0.1.0
 */
import { getRequestListener } from "@hono/node-server"
import { Buffer } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Trailbook } from "./embed/Trailbook.ts"

/**
 * A listener for `http.createServer`, and a handler for `app.use`. A body that a
 * parser before it has read as JSON is taken from `request.body`.
 *
 * @example
 * app.use("/booking", toNodeHandler(trailbook))
 *
 * @since 0.1.0
 * @category converting
 */
export const toNodeHandler = (
  { handler }: Pick<Trailbook, "handler">
): (request: IncomingMessage, response: ServerResponse) => Promise<void> => {
  const listener = getRequestListener(
    (request, { incoming }) => handler(request, { remoteAddress: incoming.socket.remoteAddress }),
    { overrideGlobalObjects: false }
  )
  return async (request: IncomingMessage & { readonly body?: unknown; rawBody?: unknown }, response) => {
    if (request.readableDidRead && request.body !== undefined && !Buffer.isBuffer(request.rawBody)) {
      request.rawBody = Buffer.from(JSON.stringify(request.body))
    }
    await listener(request, response)
  }
}
