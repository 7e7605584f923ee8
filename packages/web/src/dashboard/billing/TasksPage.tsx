import { dashboardUnreachedWithin } from "@trailbook/core/booking/departureOperations"
import { staffRetryTask, staffTasks } from "@trailbook/core/operation/maintenanceOperations"
import { webhooksList } from "@trailbook/core/webhook/webhookOperations"
import * as Effect from "effect/Effect"
import { UnreachedGuests } from "../departures/UnreachedGuests.tsx"
import { faultText } from "../developers/faultText.ts"
import { withFlash } from "../frame/flashMessage.ts"
import { ignoreNotFound } from "../ignoreNotFound.ts"
import type { FormAction, PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { daySpan } from "../parts/moments.ts"
import { Pager } from "../parts/Pager.tsx"
import { Tasks } from "./Tasks.tsx"

/** Guests who were not reached are listed for this many days ahead, including today. */
const unreachedDays = 90

/**
 * Failed jobs, and guests who were not reached. A bounced email leaves no failed job, so these guests are read from the
 * messages.
 */
export const view: PageView = ({ clock: { stamp, today, zone }, query, run, shown }) => {
  const { format, site } = shown
  const cursor = query("cursor")
  return Effect.map(
    Effect.all([
      run(staffTasks, cursor === undefined ? {} : { cursor }),
      run(webhooksList, {}),
      run(dashboardUnreachedWithin, { from: stamp, to: daySpan(zone, today, unreachedDays).to })
    ]),
    ([{ data, next_cursor: next }, webhooks, { data: unreached }]) => {
      const failing = webhooks.data.filter(({ last_error }) => last_error !== null)
      return {
        title: "Failed jobs",
        part: "billing" as const,
        lead: "Jobs that failed permanently, and jobs that have failed for a day and are still being retried.",
        body: (
          <div class="stack">
            {unreached.length > 0 && <UnreachedGuests shown={shown} guests={unreached} hasTrip />}
            <Card id="tasks" title="Email, refunds, and checkouts">
              {data.length === 0
                ? (
                  <Empty>
                    {cursor === undefined ? "No failed jobs." : "No more failed jobs."}
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
                  Failed jobs are kept for 30 days. Refunds are retried until they succeed.
                </p>
              )}
            </Card>
            <Card id="webhooks" title="Webhooks">
              {failing.length === 0 && <Empty>All webhooks are working.</Empty>}
              <ul class="rows">
                {failing.map(({ id, last_attempt_at: at, last_error, last_status, url }) => (
                  <li key={id}>
                    <div class="grow">
                      <a href={site.link(`/dashboard/developers/webhooks/${id}`)}>
                        <code>{url}</code>
                      </a>
                      {last_error !== null && <p>{faultText(last_error, last_status ?? 0).long}</p>}
                      {at !== null && (
                        <p class="soft small">
                          {`last tried on ${format.day(at)} at ${format.time(at)} · retried every 5 minutes`}
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

/** A missing task has completed in the meantime. */
export const act: FormAction = ({ param, run }) =>
  Effect.as(ignoreNotFound(run(staffRetryTask, { id: param("id") })), withFlash("/dashboard/tasks", "retried"))
