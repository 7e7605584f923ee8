import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from "@trailbook/receiver"

interface Env {
  readonly WEBHOOK_SECRET: string
  readonly INBOX: { send(event: WebhookEvent): Promise<void> }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      const header = request.headers.get("Service-Signature")
      const event = await verifyWebhook(await request.arrayBuffer(), header, env.WEBHOOK_SECRET)
      await env.INBOX.send(event)
      return new Response(null, { status: 204 })
    } catch (error) {
      if (error instanceof WebhookSignatureError) return new Response(error.message, { status: 400 })
      throw error
    }
  }
}
