import { isDocument } from "@trailbook/core/application/Application"
import { staffApplications, staffWithdraw } from "@trailbook/core/operation/staffOperations"
import * as Effect from "effect/Effect"
import { rootOf } from "../../rootOf.ts"
import { saying } from "../frame/said.ts"
import { orOver } from "../orOver.ts"
import { Card } from "../parts/Card.tsx"
import { Empty } from "../parts/Empty.tsx"
import type { Act, View } from "../View.ts"

/**
 * The assistants that were let in, and how to let one in.
 *
 * @category views
 */
export const view: View = ({ request, run, shown: { format, site } }) =>
  Effect.map(run(staffApplications, {}), ({ data }) => ({
    title: "Assistants",
    part: "applications",
    lead: "Programs that were let in to see and change your bookings. Disconnecting one works at once.",
    body: (
      <div class="stack">
        <Card id="address" title="Connect an assistant" pad="stack tight">
          <p>Give your assistant this address. It brings you back here to say what it may do.</p>
          <p>
            <code dir="ltr">{`${rootOf(site, request) ?? ""}/mcp`}</code>
          </p>
        </Card>
        <Card id="connected" title="Connected">
          {data.length === 0 && <Empty>No assistant is connected.</Empty>}
          <ul class="rows">
            {data.map(({ approved_by, client_id, created_at, id, last_used_at, name, personal, scopes }) => (
              <li key={id}>
                <div class="grow">
                  <b dir="auto">{name === "" ? client_id : name}</b>
                  {isDocument(client_id) && <span class="tag info">{new URL(client_id).host}</span>}
                  <p class="soft small">
                    {scopes.join(", ")} · {personal ? "sees what guests gave" : "does not see what guests gave"}
                  </p>
                  <p class="soft small">
                    {`Let in${approved_by === "" ? "" : ` by ${approved_by}`} on ${format.day(created_at)}`} ·{" "}
                    {last_used_at === null ? "never used" : `last used on ${format.day(last_used_at)}`}
                  </p>
                </div>
                <form method="post" action={site.link(`/dashboard/applications/${id}/withdraw`)}>
                  <button class="btn bad" aria-label={`Disconnect: ${name}`}>Disconnect</button>
                </form>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    )
  }))

export const act: Act = ({ param, run }) =>
  Effect.as(orOver(run(staffWithdraw, { id: param("id") })), saying("/dashboard/applications", "withdrawn"))
