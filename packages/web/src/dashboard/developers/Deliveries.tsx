import type { Operation } from "@trailbook/core/operation/Operation"
import type { staffWebhook } from "@trailbook/core/webhook/deliveryOperations"
import type { DashboardContext } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Pager } from "../parts/Pager.tsx"
import { Table } from "../parts/Table.tsx"
import { faultText } from "./faultText.ts"

type Told = Operation.Output<typeof staffWebhook>

/** Deliveries of a webhook, newest first. */
export const Deliveries = (
  { isFirst, path, shown: { format, site }, told: { data, next_before: next, webhook } }: {
    readonly shown: DashboardContext
    readonly told: Told
    readonly path: `/${string}`
    readonly isFirst: boolean
  }
) => {
  const state = (one: Told["data"][number]) => {
    if (one.state === "taken") return <span class="tag ok">taken</span>
    if (one.state === "waiting") return <span class="tag">waiting</span>
    const why = webhook.last_error === null ? "failed" : faultText(webhook.last_error, webhook.last_status ?? 0).short
    return <span class="tag bad">{why}</span>
  }
  return (
    <Card id="log" title="Deliveries">
      {data.length === 0
        ? (
          <Empty>
            {isFirst ? "No events since this webhook was added." : "No matching events in this period."}
          </Empty>
        )
        : (
          <Table label="Delivery log" heads={heads}>
            {data.map((one) => (
              <tr key={one.event_id}>
                <td class="r num">{one.event_id}</td>
                <td class="short">
                  <code>{one.type}</code>
                </td>
                <td class="short">{`${format.day(one.created_at)}, ${format.time(one.created_at)}`}</td>
                <td>{state(one)}</td>
                <td class="r short">
                  <a href={site.link(`${path}/replay?from=${one.event_id}`)}>
                    Redeliver from here<span class="sr">: event {one.event_id}</span>
                  </a>
                </td>
              </tr>
            ))}
          </Table>
        )}
      <Pager
        back={!isFirst && ["Newest", site.link(path)]}
        more={next !== null && ["Earlier", site.link(`${path}?before=${next}`)]}
      />
    </Card>
  )
}

const todo = <span class="sr">Actions</span>
const heads = [["r", "Event"], "What", "Happened", "State", [undefined, todo]] as const
