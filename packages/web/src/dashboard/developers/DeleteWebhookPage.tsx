import { staffWebhook } from "@trailbook/core/operation/deliveryOperations"
import { webhooksDelete } from "@trailbook/core/operation/webhookOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import { Consequence } from "../parts/Consequence.tsx"
import type { Act, View } from "../View.ts"

/**
 * What an endpoint is not told any more.
 *
 * @category views
 */
export const view: View = (asked) =>
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
export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(webhooksDelete, { id: param("id") })), saying("/dashboard/developers", "unhooked"))
