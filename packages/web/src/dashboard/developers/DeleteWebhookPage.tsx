import { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import { webhooksDelete } from "@trailbook/core/webhook/webhookOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"

/** Confirmation page for deleting a webhook. */
export const view: PageView = (asked) =>
  Effect.map(asked.run(staffWebhook, { id: asked.param("id") }), ({ waiting, webhook }) => ({
    title: "Delete this webhook?",
    part: "developers",
    lead: <code>{webhook.url}</code>,
    body: (
      <Consequence
        asked={asked}
        happens={[
          "No more events are sent to this address.",
          waiting === 0
            ? "All events so far were delivered."
            : `${
              waiting >= 100 ? "100 or more events" : waiting === 1 ? "1 event" : `${waiting} events`
            } that it has not ` +
              "received yet will not be sent. The event log keeps all events.",
          "Its signing secret is deleted. If you add the address again, it gets a new secret."
        ]}
        confirm="Delete the webhook"
        back={`/dashboard/developers/webhooks/${webhook.id}`}
      />
    )
  }))

export const act: FormAction = ({ param, run }) =>
  Effect.as(ignoreNotFound(run(webhooksDelete, { id: param("id") })), withFlash("/dashboard/developers", "unhooked"))
