import type { OrgExportView } from "@trailbook/core/operation/exportOrg"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { Icon } from "../parts/Icon.tsx"

/** Export of all data of the org as a file. */
export const view: PageView = ({ shown: { site } }) =>
  Effect.succeed({
    title: "Export",
    part: "billing",
    lead: "All your current data in one JSON file.",
    isLive: false,
    body: (
      <section class="card narrow" aria-labelledby="contents">
        <header>
          <h2 id="contents">Contents</h2>
        </header>
        <div class="pad stack">
          <ul class="stack tight">
            {Object.entries(texts).map(([name, text]) => (
              <li key={name}>
                <code>{name}</code> <span class="soft">{text}</span>
              </li>
            ))}
          </ul>
          <p>
            The file contains no secrets: no API keys, signing secrets, or payment accounts. Message files are listed by
            name and must be downloaded separately.
          </p>
          <p class="note">It contains the names, addresses, and messages of all guests. Store it safely.</p>
          <form class="stack" method="post" action={site.link("/dashboard/export")}>
            <p class="hint">
              The download takes at most 2 minutes, and only one export can run at a time. If your browser reports an
              interrupted download, the file is incomplete. Start again.
            </p>
            <p class="acts">
              <button class="btn main">
                <Icon site={site} name="download" />
                Download
              </button>
              <a class="btn" href={site.link("/dashboard/billing")}>Go back</a>
            </p>
          </form>
        </div>
      </section>
    )
  })

type Field = Exclude<keyof typeof OrgExportView.Type, "version" | "exported_at">

const texts: { readonly [Name in Field]: string } = {
  org: "name, time zone, currency, and all other settings",
  offerings: "your activities",
  hours: "weekly hours",
  sessions: "scheduled departures",
  customers: "guests, including notes",
  bookings: "all bookings, including canceled ones",
  conversations: "inbox threads",
  messages: "messages and notes",
  saved_replies: "reply templates",
  automations: "settings of each automation",
  proposals: "proposals and their results",
  webhooks: "webhooks, without secrets",
  events: "the newest 1,000 events"
}
