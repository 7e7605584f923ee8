import { eventTypes } from "@trailbook/core/event/eventTypes"
import { webhooksCreate } from "@trailbook/core/webhook/webhookOperations"
import * as Effect from "effect/Effect"
import { Field, Hidden } from "../../ui/Field.tsx"
import type { FormAction, PageView } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { Secret } from "../parts/Secret.tsx"

const guide = "https://github.com/trailbook/trailbook/blob/main/docs/how-to/receive-webhooks.md"

/** Form for a new webhook: URL and event types. */
export const view: PageView = ({ refused, shown: { site } }) => {
  const { field, mistakes, typed } = makeForm(refused, { url: "Address", events: "Events" }, { all: "on" })
  return Effect.succeed({
    title: "Add a webhook",
    part: "developers",
    lead: "Your application receives each event within seconds, in order.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <FormErrorNote of={mistakes} />
        <Field
          {...field("url")}
          hint="An https:// address that is reachable from the internet."
          input={{ type: "url", maxLength: 2000, autocomplete: "off", spellcheck: false, placeholder: "https://" }}
        />
        <fieldset id="events" tabIndex={-1}>
          <legend class="label">Events</legend>
          {mistakes.of("events") !== undefined && <p class="bad small">{mistakes.of("events")}</p>}
          <Check
            name="all"
            label="All of them"
            hint="Includes event types added later. The selection below is ignored."
            checked={typed["all"] === "on"}
          />
          <div class="fields events">
            {eventTypes.map((type) => (
              <Check key={type} name={`event_${type}`} label={type} checked={typed[`event_${type}`] === "on"} />
            ))}
          </div>
        </fieldset>
        <Hidden values={{ key: typed["key"] ?? crypto.randomUUID() }} />
        <FormButtons site={site} confirm="Add webhook" back="/dashboard/developers" />
      </form>
    )
  })
}

/** Creates the webhook and shows its secret once. */
export const act: FormAction = ({ form, run, shown: { site } }) =>
  Effect.map(
    run(webhooksCreate, {
      url: form["url"] ?? "",
      events: form["all"] === "on" ? ["*"] : eventTypes.filter((type) => form[`event_${type}`] === "on"),
      ...(form["key"] === undefined ? {} : { idempotency_key: form["key"] })
    }),
    ({ id, secret, url }) => ({
      title: "Webhook added",
      part: "developers",
      lead: <code>{url}</code>,
      body: (
        <div class="stack narrow">
          <Secret label="Signing secret" secret={secret}>
            Copy this secret now. You will not see it again. Your application uses it to verify that an event is from
            Trailbook. If you lose it, delete the webhook and add it again.
          </Secret>
          <p class="acts">
            <a class="btn" href={guide}>How to verify signatures</a>
            <a class="btn main" href={site.link(`/dashboard/developers/webhooks/${id}`)}>Send a test</a>
          </p>
        </div>
      )
    })
  )
