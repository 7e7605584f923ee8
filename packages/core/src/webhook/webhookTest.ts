import * as Event from "../port/Event.ts"
import { WebhookView } from "./WebhookView.ts"

/** The test event that is sent to endpoints but is not in the event log. */
export const webhookTest = Event.make("webhook.test", {
  data: WebhookView,
  when: "An operator runs `trailbook webhooks test`. The event has the ID 0 and is not in the event log."
})
