import { isMetadataUrl } from "@trailbook/core/oauth"
import { staffApplications, staffWithdraw } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import { ignoreNotFound } from "../../runOperation.ts"
import { getSiteRoot } from "../../Site.ts"
import { withFlash } from "../frame/getFlashMessage.ts"
import { ActionButton, Button, Card, EmptyNote } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"

const access = "staff"

/** Authorized assistants, and instructions for authorizing more. */
export const applicationsPage = page("/applications", {
  access,
  *view({ format, request, run, site }) {
    const { data } = yield* run(staffApplications, {})
    return {
      title: "Assistants",
      lead: "Assistants that can view and change your bookings. Disconnecting takes effect immediately.",
      actions: <Button to="/applications/calls">Assistant activity</Button>,
      body: (
        <div class="stack">
          <Card id="address" title="Connect an assistant" pad="stack tight">
            <p>Give this address to your assistant. You will then choose what the assistant can do.</p>
            <p>
              <code dir="ltr">{`${getSiteRoot(site, request) ?? ""}/mcp`}</code>
            </p>
          </Card>
          <Card id="connected" title="Connected assistants">
            {data.length === 0 && <EmptyNote>No assistant is connected.</EmptyNote>}
            <ul class="rows">
              {data.map(({ approved_by, client_id, created_at, id, last_used_at, name, personal, scopes }) => (
                <li key={id}>
                  <div class="grow">
                    <b dir="auto">{name === "" ? client_id : name}</b>
                    {isMetadataUrl(client_id) && <span class="tag info">{new URL(client_id).host}</span>}
                    <p class="soft small">
                      {scopes.join(", ")} · {personal ? "can view guest data" : "no access to guest data"}
                    </p>
                    <p class="soft small">
                      {`Connected${approved_by === "" ? "" : ` by ${approved_by}`} on ${format.day(created_at)}`} ·{" "}
                      {last_used_at === null ? "never used" : `last used on ${format.day(last_used_at)}`}
                    </p>
                  </div>
                  <ActionButton look="bad" to={`/applications/${id}/withdraw`} aria-label={`Disconnect: ${name}`}>
                    Disconnect
                  </ActionButton>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )
    }
  }
})

export const withdrawApplicationPage = page("/applications/:id/withdraw", {
  access,
  submit: ({ id, run }) =>
    Effect.as(ignoreNotFound(run(staffWithdraw, { id })), withFlash("/dashboard/applications", "withdrawn"))
})
