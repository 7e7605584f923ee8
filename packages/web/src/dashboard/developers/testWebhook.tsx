import { staffTestWebhook } from "@trailbook/core/operation/maintenanceOperations"
import * as Effect from "effect/Effect"
import type { FormAction } from "../Page.ts"
import { faultText } from "./faultText.ts"

/**
 * Sends an event of the type `webhook.test` now, and shows what was answered.
 *
 * @category actions
 */
export const act: FormAction = ({ param, run, shown: { site } }) =>
  Effect.map(run(staffTestWebhook, { id: param("id") }), ({ error, ok, status }) => ({
    title: ok ? "The test was taken" : "The test failed",
    part: "developers",
    body: (
      <div class="stack narrow">
        {error === null
          ? <p class="note done">{`Your program answered ${status}.`}</p>
          : <p class="note wrong">{faultText(error, status).long}</p>}
        <p class="soft">
          It was an event of the type <code>webhook.test</code>{" "}
          with the id 0, signed as all others are. It changes nothing about what waits.
        </p>
        <p class="acts">
          <a class="btn main" href={site.link(`/dashboard/developers/webhooks/${param("id")}`)}>
            Back to the webhook
          </a>
        </p>
      </div>
    )
  }))
