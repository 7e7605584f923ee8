import * as Event from "../port/Event.ts"
import { WebhookView } from "./WebhookView.ts"

/**
 * What is sent to try an endpoint out. It stands in no log.
 *
 * @category models
 */
export const webhookTest = Event.make("webhook.test", {
  data: WebhookView,
  when: "`trailbook webhooks test` is asked to send one. It has the id 0 and stands in no log."
})
