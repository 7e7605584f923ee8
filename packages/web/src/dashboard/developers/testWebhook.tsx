import { staffTestWebhook } from "@trailbook/core/operation/maintenanceOperations"
import * as Effect from "effect/Effect"
import type { FormAction } from "../Page.ts"
import { faultText } from "./faultText.ts"

/** Sends a `webhook.test` event immediately and shows the response. */
export const act: FormAction = ({ param, run, shown: { site } }) =>
  Effect.map(run(staffTestWebhook, { id: param("id") }), ({ error, ok, status }) => ({
    title: ok ? "Test event delivered" : "Test event failed",
    part: "developers",
    body: (
      <div class="stack narrow">
        {error === null
          ? <p class="note done">{`The response status was ${status}.`}</p>
          : <p class="note wrong">{faultText(error, status).long}</p>}
        <p class="soft">
          The test event has the type <code>webhook.test</code>{" "}
          and the ID 0. It is signed like all events and does not affect pending events.
        </p>
        <p class="acts">
          <a class="btn main" href={site.link(`/dashboard/developers/webhooks/${param("id")}`)}>
            Back to webhook
          </a>
        </p>
      </div>
    )
  }))
