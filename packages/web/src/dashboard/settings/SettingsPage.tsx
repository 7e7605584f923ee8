import { orgUpdate } from "@trailbook/core/org/orgOperations"
import { defaultUnits, unitSystems } from "@trailbook/core/org/units"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { zoneCity } from "../../text/Format.ts"
import { Field, Hidden, TextField } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import type { FormAction, PageContext, PageView } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { FormErrorNote, type FormView, makeForm } from "../parts/FormErrors.tsx"
import { Select } from "../parts/Select.tsx"
import { publicUrl } from "./publicUrl.ts"
import { fieldAliases, type Group, labels, patchIn, plainAccent, typedOrg } from "./settingsForm.ts"

/** Settings of the org, in groups that are saved separately. */
export const view: PageView = ({ refused, shown }) => {
  const { format, org, site } = shown
  const asGroup = (group: Group): Asked => {
    const own = refused?.form["group"] === group ? refused : undefined
    return { group, ...makeForm(own, labels, typedOrg(org), fieldAliases), shown }
  }
  const page = asGroup("page")
  const limits = asGroup("limits")
  const replies = asGroup("replies")
  const hours = Array.from(
    { length: 24 },
    (_, hour) => [String(hour), format.wall(`${String(hour).padStart(2, "0")}:00`)] as const
  )
  return Effect.succeed({
    title: "Settings",
    part: "settings",
    isLive: false,
    body: (
      <div class="stack form">
        <Section asked={asGroup("name")} id="outfitter" title="Business">
          <Field {...asGroup("name").field("name")} input={{ maxLength: 80, dir: "auto" }} />
          <dl class="what">
            <dt>Time zone</dt>
            <dd>
              {`${zoneCity(org.timezone)} (${org.timezone}) `}
              <a href={site.link("/dashboard/settings/zone")}>Change the time zone</a>
            </dd>
            <dt>Currency</dt>
            <dd>
              {`${org.currency.toUpperCase()} `}
              <a href={site.link("/dashboard/settings/currency")}>Change the currency</a>
            </dd>
          </dl>
          <Select
            {...asGroup("name").field("units")}
            options={[
              ["", `Default for the time zone: ${unitNames[defaultUnits(org.timezone)]}`],
              ...unitSystems.map((units) => [units, unitNames[units]] as const)
            ]}
            hint="Used for weather and rivers in settings, proposals, and email."
          />
        </Section>
        <Section asked={page} id="page" title="Booking page">
          <p>
            Booking page address{" "}
            <a href={site.link(`/book/${org.slug}`)} dir="ltr">{publicUrl(shown, `/book/${org.slug}`)}</a>
            {site.isWidget && (
              <>
                {" · "}
                <a href={site.link(`/widget/${org.slug}`)}>Add to your website</a>
              </>
            )}
          </p>
          <Field
            {...page.field("accent")}
            value={page.typed["accent"] ?? plainAccent}
            input={{ type: "color", class: "color" }}
          />
          {org.accent !== null && (
            <Check name="plain" label="Use the default green" checked={page.typed["plain"] === "on"} />
          )}
          <Field
            {...page.field("logo_url")}
            optional="optional"
            hint="The https address of a square picture."
            input={{ type: "url", maxLength: 2000, spellcheck: false }}
          />
          <Field
            {...page.field("cover_url")}
            optional="optional"
            hint="The https address of a wide picture."
            input={{ type: "url", maxLength: 2000, spellcheck: false }}
          />
        </Section>
        <Section asked={replies} id="replies" title="Replies">
          <Field
            {...replies.field("reply_window")}
            optional="optional"
            hint="When guests can expect a reply, for example: within a day."
            input={{ maxLength: 200, dir: "auto" }}
          />
          <Check
            name="auto_ack"
            label="Send an automatic acknowledgment"
            hint="At most once a day per guest, with your reply time and away notice."
            checked={replies.typed["auto_ack"] === "on"}
          />
          <TextField
            {...replies.field("away_notice")}
            optional="optional"
            hint="Shown on your booking page unless it is empty."
            rows={3}
            maxLength={2000}
          />
          <Field
            {...replies.field("review_url")}
            optional="optional"
            hint="Your review page, for example on Google. Saved replies can include this link."
            input={{ type: "url", maxLength: 2000, spellcheck: false }}
          />
        </Section>
        <Section asked={asGroup("guests")} id="guests" title="Guests on the booking page">
          <Field
            {...asGroup("guests").field("guest_changes_hours")}
            optional="empty: guests must contact you"
            hint="Guests can move or cancel their booking until this many hours before the start. Bookings paid online are refunded in full if canceled in time."
            input={{ inputMode: "numeric", maxLength: 4 }}
          />
          <Check
            name="confirm_email"
            label="Confirm email addresses"
            hint="A booking is held for 30 minutes and confirmed when the guest opens a link in their email."
            checked={asGroup("guests").typed["confirm_email"] === "on"}
          />
        </Section>
        <Section asked={limits} id="limits" title="Automation limits">
          <div class="fields">
            <Select {...limits.field("brief_hour")} options={hours} hint="When the morning brief is sent." />
            <Field
              {...limits.field("ops_daily_cap")}
              hint="Further actions need your approval. 1 to 500."
              input={{ inputMode: "numeric", maxLength: 3 }}
            />
            <Select
              {...limits.field("quiet_from")}
              options={[["", "No quiet hours"], ...hours]}
              hint="No automatic messages to guests."
            />
            <Select
              {...limits.field("quiet_to")}
              options={[["", "No quiet hours"], ...hours]}
              hint="Automatic messages resume at this time."
            />
            <Field
              {...limits.field("refund_ceiling")}
              optional="empty: no automatic refunds"
              hint={`In ${org.currency.toUpperCase()}. Larger refunds need your approval.`}
              input={{ inputMode: "decimal", maxLength: 30 }}
            />
          </div>
        </Section>
      </div>
    )
  })
}

const unitNames = { us: "US (mph, °F, inches)", metric: "Metric (km/h, °C, mm)" } as const

interface Asked extends FormView<keyof typeof labels> {
  readonly group: Group
  readonly shown: PageContext["shown"]
}

const Section = (
  { asked: { group, mistakes, shown }, children, id, title }: {
    readonly asked: Asked
    readonly id: string
    readonly title: string
    readonly children: ComponentChildren
  }
) => (
  <form
    class="card"
    method="post"
    action={`${shown.site.link("/dashboard/settings")}#${id}-title`}
    aria-labelledby={`${id}-title`}
  >
    <header>
      <h2 id={`${id}-title`}>{title}</h2>
    </header>
    <div class="pad stack">
      <FormErrorNote of={mistakes} />
      {children}
      <Hidden values={{ group }} />
      <p>
        <button class="btn main" aria-label={`Save: ${title}`}>Save</button>
      </p>
    </div>
  </form>
)

export const act: FormAction = ({ form, run, shown: { org } }) =>
  Effect.gen(function*() {
    yield* run(orgUpdate, yield* patchIn(form, org.currency))
    return `${withFlash("/dashboard/settings", "saved")}#content` as const
  })
