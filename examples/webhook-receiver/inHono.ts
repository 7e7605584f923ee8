import { verifyWebhook, WebhookSignatureError } from "@trailbook/receiver"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { HTTPException } from "hono/http-exception"
import type { Inbox } from "./Inbox.ts"

/** `onAdd` is called once an event has been stored. It must not process the event until after the response. */
export const inHono = (secret: string, inbox: Inbox, onAdd: () => void) =>
  new Hono()
    .post("/hooks/trailbook", bodyLimit({ maxSize: 1_000_000 }), async ({ body, req }) => {
      const event = await verifyWebhook(await req.arrayBuffer(), req.header("Service-Signature"), secret)
      if (inbox.add(event)) onAdd()
      return body(null, 204)
    })
    .onError((error, { text }) => {
      if (error instanceof HTTPException) return error.getResponse()
      if (error instanceof WebhookSignatureError) return text(error.message, 400)
      console.error(error)
      return text("Try again later.", 500)
    })
