import { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import { webhooksDelete } from "@trailbook/core/webhook/webhookOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"

/**
 * What an endpoint is not told any more.
 *
 * @category views
 */
export const view: PageView = (asked) =>
  Effect.map(asked.run(staffWebhook, { id: asked.param("id") }), ({ waiting, webhook }) => ({
    title: "Delete this webhook?",
    part: "developers",
    lead: <code>{webhook.url}</code>,
    body: (
      <Consequence
        asked={asked}
        happens={[
          "Nothing is sent there any more, from now on.",
          waiting === 0
            ? "Everything up to now was taken: nothing waits."
            : `${
              waiting >= 100 ? "100 or more events" : waiting === 1 ? "1 event" : `${waiting} events`
            } that it has not ` +
              "taken yet will not be sent. They stay in the log of events.",
          "Its signing secret is forgotten. If you add the address again, it gets another."
        ]}
        confirm="Delete the webhook"
        back={`/dashboard/developers/webhooks/${webhook.id}`}
      />
    )
  }))

/**
 * @category actions
 */
export const act: FormAction = ({ param, run }) =>
  Effect.as(ignoreNotFound(run(webhooksDelete, { id: param("id") })), withFlash("/dashboard/developers", "unhooked"))
