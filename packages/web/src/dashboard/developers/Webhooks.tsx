import type { WebhookView } from "@trailbook/core/webhook/WebhookView"
import type { DashboardContext } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { momentText } from "../parts/moments.ts"
import { Table } from "../parts/Table.tsx"
import { faultText } from "./faultText.ts"

/** Webhooks with the result of the last delivery. */
export const Webhooks = (
  { shown, webhooks }: { readonly shown: DashboardContext; readonly webhooks: ReadonlyArray<WebhookView> }
) => {
  const { site } = shown
  return (
    <Card
      id="webhooks"
      title="Webhooks"
      headerEnd={<a class="btn end" href={site.link("/dashboard/developers/webhooks/new")}>Add webhook</a>}
    >
      {webhooks.length === 0
        ? <Empty>No webhooks. Add one to send events to your application.</Empty>
        : (
          <Table label="Endpoints" heads={["Endpoint", "Events", "Last delivery"]}>
            {webhooks.map((webhook) => (
              <tr key={webhook.id}>
                <th scope="row" class="cell broad">
                  <a class="mono" href={site.link(`/dashboard/developers/webhooks/${webhook.id}`)}>{webhook.url}</a>
                </th>
                <td class="short">{eventWords(webhook.events)}</td>
                <td class="short">
                  <State webhook={webhook} shown={shown} />
                </td>
              </tr>
            ))}
          </Table>
        )}
    </Card>
  )
}

/** Short text for the event types: `all`, the single type, or their number. */
const eventWords = (events: ReadonlyArray<string>): string => {
  if (events.includes("*")) return "all"
  const [only] = events
  return events.length === 1 && only !== undefined ? only : `${events.length} types`
}

/** Result and time of the last delivery. */
const State = (
  { shown: { format }, webhook: { last_attempt_at: at, last_error: fault, last_status: status } }: {
    readonly webhook: WebhookView
    readonly shown: DashboardContext
  }
) => {
  if (at === null || status === null) return <span class="soft">nothing sent yet</span>
  const when = momentText(format, at)
  return fault === null
    ? <span class="tag ok">{`${status} · ${when}`}</span>
    : <span class="tag bad">{`${faultText(fault, status).short} · ${when}`}</span>
}
