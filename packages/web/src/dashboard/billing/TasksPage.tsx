import { staffRetryTask, staffTasks } from "@trailbook/core/operation/upkeepOperations"
import { webhooksList } from "@trailbook/core/operation/webhookOperations"
import * as Effect from "effect/Effect"
import { faultWords } from "../developers/faultWords.ts"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Pager } from "../parts/Pager.tsx"
import type { Act, View } from "../View.ts"
import { Tasks } from "./Tasks.tsx"

/**
 * What was to be done and was not: mails, refunds, checkouts and webhooks.
 *
 * @category views
 */
export const view: View = ({ query, run, shown }) => {
  const { format, site } = shown
  const cursor = query("cursor")
  return Effect.zipWith(
    run(staffTasks, cursor === undefined ? {} : { cursor }),
    run(webhooksList, {}),
    ({ data, next_cursor: next }, webhooks) => {
      const failing = webhooks.data.filter(({ last_error }) => last_error !== null)
      return {
        title: "What did not work",
        part: "billing" as const,
        lead: "What was given up, and what has failed for a day and is still being tried.",
        body: (
          <div class="stack">
            <Card id="tasks" title="Mails, refunds and checkouts">
              {data.length === 0
                ? (
                  <Empty>
                    {cursor === undefined ? "Everything is done or on its way." : "There is nothing more."}
                  </Empty>
                )
                : <Tasks shown={shown} tasks={data} />}
              <Pager
                back={cursor !== undefined && ["From the start", site.link("/dashboard/tasks")]}
                more={next !== undefined &&
                  ["More", site.link(`/dashboard/tasks?${new URLSearchParams({ cursor: next })}`)]}
              />
              {data.length > 0 && (
                <p class="pad soft small">
                  What was given up is kept for 30 days. A refund is never given up: it is the guest's money.
                </p>
              )}
            </Card>
            <Card id="webhooks" title="Webhooks">
              {failing.length === 0 && <Empty>No endpoint has stopped.</Empty>}
              <ul class="rows">
                {failing.map(({ id, last_attempt_at: at, last_error, last_status, url }) => (
                  <li key={id}>
                    <div class="grow">
                      <a href={site.link(`/dashboard/developers/webhooks/${id}`)}>
                        <code>{url}</code>
                      </a>
                      {last_error !== null && <p>{faultWords(last_error, last_status ?? 0).long}</p>}
                      {at !== null && (
                        <p class="soft small">
                          {`last tried on ${format.day(at)} at ${format.time(at)} · tried again every 5 minutes`}
                        </p>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          </div>
        )
      }
    }
  )
}

/**
 * One that is gone was done meanwhile.
 *
 * @category actions
 */
export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(staffRetryTask, { id: param("id") })), saying("/dashboard/tasks", "retried"))
