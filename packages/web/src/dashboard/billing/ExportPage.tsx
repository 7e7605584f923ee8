import type { OrgExportView } from "@trailbook/core/operation/exportOrg"
import * as Effect from "effect/Effect"
import type { PageView } from "../Page.ts"
import { Icon } from "../parts/Icon.tsx"

/**
 * Everything the outfitter has, to save as a file.
 *
 * @category views
 */
export const view: PageView = ({ shown: { site } }) =>
  Effect.succeed({
    title: "Export",
    part: "billing",
    lead: "Everything you have here, as one JSON file of one moment.",
    isLive: false,
    body: (
      <section class="card narrow" aria-labelledby="contents">
        <header>
          <h2 id="contents">What is in it</h2>
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
            Secrets are not in it: no keys, no signing secrets, no account of a payment provider. Files of messages are
            named, and opened one by one.
          </p>
          <p class="note">It holds names, addresses and messages of all guests. Keep it as you would keep those.</p>
          <form class="stack" method="post" action={site.link("/dashboard/export")}>
            <p class="hint">
              It is sent while it is read, within 2 minutes, one export at a time. If your browser says that it was
              broken off, it is not whole: begin again.
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
  org: "name, zone, currency and all other settings",
  offerings: "what you offer",
  hours: "weekly hours",
  sessions: "departures that were put on the calendar",
  customers: "guests, with notes",
  bookings: "all, cancelled ones too",
  conversations: "threads of the inbox",
  messages: "what was written, notes included",
  saved_replies: "texts to answer with",
  automations: "how they are set",
  proposals: "what was proposed, and what became of it",
  webhooks: "endpoints, without secrets",
  events: "the last 1,000"
}
