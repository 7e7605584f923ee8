import { verifyWebhook, WebhookSignatureError } from "@trailbook/receiver"
import type { IncomingMessage, RequestListener } from "node:http"
import type { Inbox } from "./Inbox.ts"

/** `onAdd` is called once an event has been stored. It must not process the event until after the response. */
export const inNode =
  (secret: string, inbox: Inbox, onAdd: () => void): RequestListener => async (request, response) => {
    try {
      const body = await rawBody(request)
      if (body === undefined) return void response.writeHead(413).end()
      const event = await verifyWebhook(body, request.headers["service-signature"], secret)
      if (inbox.add(event)) onAdd()
      response.writeHead(204).end()
    } catch (error) {
      if (error instanceof WebhookSignatureError) return void response.writeHead(400).end(error.message)
      console.error(error)
      response.writeHead(500).end("Try again later.")
    }
  }

/**
 * Returns `undefined` if the body is too large. The sender has not been verified yet, so the request could come from
 * anyone.
 */
const rawBody = async (request: IncomingMessage): Promise<Uint8Array | undefined> => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length <= 1_000_000) pieces.push(piece)
  }
  return length > 1_000_000 ? undefined : Buffer.concat(pieces)
}
