import { verifyWebhook, WebhookSignatureError } from "@trailbook/receiver"
import type { IncomingMessage, RequestListener } from "node:http"
import type { Inbox } from "./Inbox.ts"

/** `added` is told that there is work; it does it after the answer. */
export const inNode =
  (secret: string, inbox: Inbox, added: () => void): RequestListener => async (request, response) => {
    try {
      const body = await rawBody(request)
      if (body === undefined) return void response.writeHead(413).end()
      const event = await verifyWebhook(body, request.headers["service-signature"], secret)
      if (inbox.add(event)) added()
      response.writeHead(204).end()
    } catch (error) {
      if (error instanceof WebhookSignatureError) return void response.writeHead(400).end(error.message)
      console.error(error)
      response.writeHead(500).end("Try again later.")
    }
  }

/** Undefined when there is too much: nobody is verified yet, so anybody may be sending it. */
const rawBody = async (request: IncomingMessage): Promise<Uint8Array | undefined> => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length <= 1_000_000) pieces.push(piece)
  }
  return length > 1_000_000 ? undefined : Buffer.concat(pieces)
}
