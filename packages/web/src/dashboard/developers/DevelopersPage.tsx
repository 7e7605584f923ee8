import { staffKeys } from "@trailbook/core/actor/keyOperations"
import { staffApplications } from "@trailbook/core/staff/staffOperations"
import { webhooksList } from "@trailbook/core/webhook/webhookOperations"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { IconLink } from "../parts/Icon.tsx"
import { Applications } from "./Applications.tsx"
import { Keys } from "./Keys.tsx"
import { Webhooks } from "./Webhooks.tsx"

/** API keys, webhooks, and OAuth clients. */
export const view: PageView = ({ clock: { now }, run, shown }) =>
  Effect.map(
    Effect.all([run(staffKeys, {}), run(webhooksList, {}), run(staffApplications, {})]),
    ([keys, webhooks, applications]) => ({
      title: "Developers",
      part: "developers",
      lead: "API keys, webhooks, and connected applications.",
      actions: (
        <>
          <a class="btn" href={shown.site.link("/reference")}>API reference</a>
          <IconLink site={shown.site} icon="plus" href={shown.site.link("/dashboard/developers/keys/new")} isMain>
            Create key
          </IconLink>
        </>
      ),
      body: (
        <div class="stack">
          <Keys shown={shown} keys={keys.data} now={now} />
          <Webhooks shown={shown} webhooks={webhooks.data} />
          <Applications shown={shown} applications={applications.data} />
        </div>
      )
    })
  )
