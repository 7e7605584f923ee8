import type { WebhookView } from "@trailbook/core/webhook/WebhookView"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Table } from "../parts/Table.tsx"
import type { DeskShown } from "../View.ts"
import { eventWords } from "./eventWords.ts"
import { State } from "./State.tsx"

/**
 * The addresses that events are sent to, with what came of it last.
 *
 * @category views
 */
export const Webhooks = (
  { shown, webhooks }: { readonly shown: DeskShown; readonly webhooks: ReadonlyArray<WebhookView> }
) => {
  const { site } = shown
  return (
    <Card
      id="webhooks"
      title="Webhooks"
      beside={<a class="btn end" href={site.link("/dashboard/developers/webhooks/new")}>Add endpoint</a>}
    >
      {webhooks.length === 0
        ? <Empty>Nothing is sent anywhere. Add an endpoint, and your program is told when something happens.</Empty>
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
