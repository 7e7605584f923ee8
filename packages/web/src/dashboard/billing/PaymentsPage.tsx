import { staffTasks } from "@trailbook/core/operation/maintenanceOperations"
import { staffPayments } from "@trailbook/core/payment/paymentOperations"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { isAboutMoney } from "./taskLabels.ts"
import { Tasks } from "./Tasks.tsx"

const guide = "https://github.com/trailbook/trailbook/blob/main/docs/how-to/take-payments.md"

/** The connected payment account and its failed tasks. */
export const view: PageView = ({ run, shown }) => {
  const { format, org, site } = shown
  return Effect.zipWith(
    run(staffPayments, {}),
    run(staffTasks, { limit: 100 }),
    ({ can_connect, connected, data }, { data: tasks }) => {
      const money = tasks.filter(({ kind }) => isAboutMoney(kind))
      const before = data.filter(({ disconnected_at }) => disconnected_at !== null)
      return {
        title: "Payments",
        part: "billing" as const,
        lead: "The account that receives guests' payments.",
        actions: <a class="btn" href={guide}>How to take payments</a>,
        body: (
          <div class="stack">
            <Card
              id="account"
              title={connected === null ? "No account" : connected.name || connected.account_id}
              headerEnd={connected !== null && (
                <span class={connected.mode === "live" ? "tag ok" : "tag warn"}>
                  {connected.mode === "live" ? "live mode: real payments" : "test mode: no real payments"}
                </span>
              )}
            >
              {connected === null
                ? (
                  <Empty>
                    {can_connect
                      ? "Bookings are confirmed without payment. Connect your payment account so that guests pay when they book."
                      : "Online payments are not enabled on this server. The server operator can enable them."}
                  </Empty>
                )
                : (
                  <dl class="pad what">
                    <dt>Provider</dt>
                    <dd>{connected.provider}</dd>
                    <dt>Account</dt>
                    <dd>
                      <code>{connected.account_id}</code>
                    </dd>
                    <dt>Connected</dt>
                    <dd>{format.longDay(connected.connected_at)}</dd>
                    <dt>Synced until</dt>
                    <dd>
                      {`${format.longDay(connected.seen_to)}, ${format.time(connected.seen_to)} `}
                      {format.zone(connected.seen_to)}
                    </dd>
                    <dt>Webhooks</dt>
                    <dd>
                      {connected.notices
                        ? "Payments are reported immediately."
                        : "None. Payments are checked every 10 minutes and when a hold expires."}
                    </dd>
                  </dl>
                )}
              {can_connect && (
                <p class="pad acts">
                  <a class={connected === null ? "btn main" : "btn"} href={site.link("/dashboard/payments/connect")}>
                    {connected === null ? "Connect an account" : "Change the key or account"}
                  </a>
                  {connected !== null && (
                    <a class="btn bad" href={site.link("/dashboard/payments/disconnect")}>Disconnect</a>
                  )}
                </p>
              )}
            </Card>
            <Card id="problems" title="Last problems">
              {money.length === 0
                ? <Empty>None. Refunds and checkouts that keep failing are listed here.</Empty>
                : <Tasks shown={shown} tasks={money} />}
            </Card>
            {before.length > 0 && (
              <Card id="before" title="Previous accounts">
                <ul class="rows">
                  {before.map(({ account_id, disconnected_at, id, name, provider }) => (
                    <li key={id}>
                      <div class="grow">
                        <b dir="auto">{name || account_id}</b>
                        <p class="soft small">
                          {`${provider} · disconnected on ${
                            format.longDay(disconnected_at ?? "")
                          } · refunds of its payments still go through it`}
                        </p>
                      </div>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            <p class="soft small">
              {`Prices are in ${org.currency.toUpperCase()}. The account must accept this currency.`}
            </p>
          </div>
        )
      }
    }
  )
}
