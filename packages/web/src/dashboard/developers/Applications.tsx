import type { Operation } from "@trailbook/core/operation/Operation"
import type { staffApplications } from "@trailbook/core/staff/staffOperations"
import type { DashboardContext } from "../Page.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"

/** Short list of authorized OAuth clients. They are managed on a separate page. */
export const Applications = (
  { applications, shown: { format, site } }: {
    readonly shown: DashboardContext
    readonly applications: Operation.Output<typeof staffApplications>["data"]
  }
) => (
  <Card
    id="applications"
    title="Connected applications"
    headerEnd={<a class="btn end" href={site.link("/dashboard/applications")}>Connect or disconnect</a>}
  >
    {applications.length === 0 && (
      <Empty>No applications connected. Assistants request access, and an owner approves it.</Empty>
    )}
    <ul class="rows">
      {applications.map(({ client_id, id, last_used_at, name, scopes }) => (
        <li key={id}>
          <div class="grow">
            <b dir="auto">{name === "" ? client_id : name}</b>
            <p class="soft small">
              {scopes.join(", ")} ·{" "}
              {last_used_at === null ? "never used" : `last used on ${format.longDay(last_used_at)}`}
            </p>
          </div>
        </li>
      ))}
    </ul>
  </Card>
)
