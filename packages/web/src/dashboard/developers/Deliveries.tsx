import type { staffWebhook } from "@trailbook/core/operation/deliveryOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { Empty } from "../parts/Empty.tsx"
import { Scroll } from "../parts/Scroll.tsx"
import type { DeskShown } from "../View.ts"
import { faultWords } from "./faultWords.ts"

type Told = Operation.Output<typeof staffWebhook>

/**
 * What became of each event at an endpoint, newest first.
 *
 * @category views
 */
export const Deliveries = (
  { isFirst, path, shown: { format, site }, told: { data, next_before: next, webhook } }: {
    readonly shown: DeskShown
    readonly told: Told
    readonly path: `/${string}`
    readonly isFirst: boolean
  }
) => {
  const state = (one: Told["data"][number]) => {
    if (one.state === "taken") return <span class="tag ok">taken</span>
    if (one.state === "waiting") return <span class="tag">waiting</span>
    const why = webhook.last_error === null ? "failed" : faultWords(webhook.last_error, webhook.last_status ?? 0).short
    return <span class="tag bad">{why}</span>
  }
  return (
    <section class="card" aria-labelledby="log">
      <header>
        <h2 id="log">Deliveries</h2>
      </header>
      {data.length === 0
        ? (
          <Empty>
            {isFirst ? "Nothing has happened since it was added." : "Nothing of what it gets happened then."}
          </Empty>
        )
        : (
          <Scroll label="Delivery log">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col" class="r">Event</th>
                  <th scope="col">What</th>
                  <th scope="col">Happened</th>
                  <th scope="col">State</th>
                  <th scope="col">
                    <span class="sr">What can be done</span>
                  </th>
                </tr>
              </thead>
              <tbody>
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
                        Send again from here<span class="sr">: event {one.event_id}</span>
                      </a>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      {(next !== null || !isFirst) && (
        <p class="pager">
          {isFirst ? <span /> : <a class="btn" href={site.link(path)}>Newest</a>}
          {next !== null && <a class="btn" href={site.link(`${path}?before=${next}`)}>Earlier</a>}
        </p>
      )}
    </section>
  )
}
