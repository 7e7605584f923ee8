import { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { faultText } from "./faultText.ts"

/** A webhook with its deliveries, its pending events, and the error that stopped it. */
export const view: PageView = ({ param, query, run, shown }) => {
  const { format, site } = shown
  const before = Number(query("before"))
  const asked = { id: param("id"), ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}) }
  return Effect.map(run(staffWebhook, asked), (told) => {
    const { stopped, waiting, webhook } = told
    const path = `/dashboard/developers/webhooks/${webhook.id}` as const
    const { last_attempt_at: at, last_error: fault, last_status: status } = webhook
    return {
      title: "Webhook",
      part: "developers" as const,
      lead: <code>{webhook.url}</code>,
      actions: (
        <>
          <form method="post" action={site.link(`${path}/test`)}>
            <button class="btn">
              <Icon site={site} name="send" />
              Send a test
            </button>
          </form>
          <a class="btn" href={site.link(`${path}/replay`)}>Send again</a>
          <a class="btn bad" href={site.link(`${path}/delete`)}>Delete</a>
        </>
      ),
      body: (
        <div class="stack">
          {stopped && fault !== null && at !== null && (
            <div class="note wrong">
              <p>
                <b>Stopped on {format.day(at)} at {format.time(at)}.</b> {faultText(fault, status ?? 0).long}
              </p>
              <p>Delivery is retried every 5 minutes and with each new event, and continues from this event.</p>
            </div>
          )}
          <Card id="state" title="State">
            <dl class="pad what">
              <dt>Events</dt>
              <dd>{webhook.events.includes("*") ? "all" : webhook.events.join(", ")}</dd>
              <dt>Waiting</dt>
              <dd>{waiting >= 100 ? "100 or more" : waiting === 0 ? "nothing" : format.number(waiting)}</dd>
              <dt>Added</dt>
              <dd>{format.longDay(webhook.created_at)}</dd>
            </dl>
          </Card>
          <Deliveries shown={shown} told={told} path={path} isFirst={query("before") === undefined} />
        </div>
      )
    }
  })
}
