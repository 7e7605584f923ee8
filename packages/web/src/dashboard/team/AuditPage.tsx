import { staffAudit } from "@trailbook/core/staff/memberOperations"
import * as Effect from "effect/Effect"
import { zoneCity } from "../../text/Format.ts"
import type { PageView } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import { auditText } from "./auditText.ts"

/** The audit log of an org, newest first. */
export const view: PageView = ({ query, run, shown: { format, org, site } }) => {
  const cursor = query("cursor")
  return Effect.map(run(staffAudit, { limit: 50, ...(cursor === undefined ? {} : { cursor }) }), (page) => {
    const days = new Map<string, Array<(typeof page.data)[number]>>()
    for (const entry of page.data) {
      const date = format.localDate(entry.at)
      days.set(date, [...days.get(date) ?? [], entry])
    }
    return {
      title: "Audit log",
      part: "team" as const,
      lead:
        `Changes to access, payments, settings, webhooks, and automations, plus data exports and erasures. Times are in ${
          zoneCity(org.timezone)
        }.`,
      body: (
        <div class="stack">
          {page.data.length === 0 && (
            <section class="card" aria-label="Changes">
              <Empty>No changes yet.</Empty>
            </section>
          )}
          {[...days].map(([date, entries]) => (
            <Card key={date} id={`d${date}`} title={format.longDay(entries[0]?.at ?? "")}>
              <ul class="rows">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <span class="soft num when">{format.time(entry.at)}</span>
                    <span class="grow" dir="auto">{auditText(entry)}</span>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
          {(cursor !== undefined || page.next_cursor !== undefined) && (
            <p class="acts">
              {cursor !== undefined && <a class="btn" href={site.link("/dashboard/audit")}>Newest</a>}
              {page.next_cursor !== undefined && (
                <a
                  class="btn"
                  href={site.link(`/dashboard/audit?${new URLSearchParams({ cursor: page.next_cursor })}`)}
                >
                  Earlier
                </a>
              )}
            </p>
          )}
        </div>
      )
    }
  })
}
