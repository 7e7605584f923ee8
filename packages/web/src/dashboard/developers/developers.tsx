/** Access for programs: an overview of API keys, webhooks, and connected applications. */
import { staffKeys } from "@trailbook/core/actor"
import type { Operation } from "@trailbook/core/operation/Operation"
import { staffApplications } from "@trailbook/core/staff"
import { webhooksList } from "@trailbook/core/webhook"
import { Button, Card, EmptyNote } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"
import { usePage } from "../Page.ts"
import { ApiKeyList } from "./keys.tsx"
import { Webhooks } from "./webhooks.tsx"

export const developersPage = page("/developers", {
  access: "staff",
  *view({ run, site }) {
    const { data: keys } = yield* run(staffKeys, {})
    const { data: webhooks } = yield* run(webhooksList, {})
    const { data: applications } = yield* run(staffApplications, {})
    return {
      title: "Developers",
      lead: "API keys, webhooks, and connected applications.",
      actions: (
        <>
          <a class="btn" href={site.link("/reference")}>API reference</a>
          <Button icon="plus" look="main" to="/developers/keys/new">Create key</Button>
        </>
      ),
      body: (
        <div class="stack">
          <ApiKeyList keys={keys} />
          <Webhooks webhooks={webhooks} />
          <Applications applications={applications} />
        </div>
      )
    }
  }
})

/** A short list of authorized OAuth clients, which are managed on a separate page. */
const Applications = (
  { applications }: { readonly applications: Operation.Output<typeof staffApplications>["data"] }
) => {
  const { format } = usePage()
  return (
    <Card
      id="applications"
      title="Connected applications"
      headerEnd={<Button look="end" to="/applications">Manage applications</Button>}
    >
      {applications.length === 0 && (
        <EmptyNote>
          No applications are connected. Assistants request access, and an owner approves the request.
        </EmptyNote>
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
}
