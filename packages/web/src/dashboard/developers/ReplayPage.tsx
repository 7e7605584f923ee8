import { staffReplayWebhook } from "@trailbook/core/operation/maintenanceOperations"
import { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { makeForm } from "../parts/FormErrors.tsx"

/** Confirmation page for redelivering events, starting with a given event. */
export const view: PageView = (asked) =>
  Effect.map(asked.run(staffWebhook, { id: asked.param("id") }), ({ data, webhook }) => {
    const { query, refused } = asked
    const { field, mistakes } = makeForm(refused, { from: "From event" }, { from: query("from") ?? "" })
    return {
      title: "Redeliver events?",
      part: "developers" as const,
      lead: <code>{webhook.url}</code>,
      isLive: false,
      body: (
        <Consequence
          asked={asked}
          happens={[
            "All events from this one to the newest are sent again now, oldest first, including events that were already delivered.",
            "Events keep their IDs, so your application can skip those it has already processed.",
            "New events are delivered after them."
          ]}
          confirm="Redeliver events"
          isGrave={false}
          back={`/dashboard/developers/webhooks/${webhook.id}`}
          refused={mistakes.news ?? mistakes.of("from")}
        >
          <Field
            {...field("from")}
            hint={data[0] === undefined ? undefined : `The newest is ${data[0].event_id}.`}
            input={{ inputMode: "numeric", pattern: "[0-9]+", maxLength: 16, autocomplete: "off" }}
          />
        </Consequence>
      )
    }
  })

export const act: FormAction = ({ form, param, run }) =>
  Effect.as(
    run(staffReplayWebhook, { id: param("id"), from: Number(form["from"]) }),
    withFlash(`/dashboard/developers/webhooks/${param("id")}`, "replayed")
  )
