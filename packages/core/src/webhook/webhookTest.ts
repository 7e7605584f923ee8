import * as Event from "../port/Event.ts"
import { WebhookView } from "./WebhookView.ts"

/** The test event for endpoints. It is not in the log. */
export const webhookTest = Event.make("webhook.test", {
  data: WebhookView,
  when: "`trailbook webhooks test` is asked to send one. It has the id 0 and stands in no log."
})
