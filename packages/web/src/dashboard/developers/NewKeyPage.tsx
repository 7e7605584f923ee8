import { type KeyScope, scopes } from "@trailbook/core/actor/Actor"
import { staffCreateKey } from "@trailbook/core/actor/keyOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { siteRoot } from "../../siteRoot.ts"
import { Field } from "../../ui/Field.tsx"
import type { FormAction, PageView } from "../Page.ts"
import { Check } from "../parts/Check.tsx"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { Select } from "../parts/Select.tsx"
import { keyPage } from "./KeyPage.tsx"

/** Form for a new API key: name and scopes. */
export const view: PageView = ({ refused, shown: { site } }) => {
  const labels = { name: "Name", scopes: "Permissions", expires: "Expires after" }
  const fresh = { scope_read: "on", scope_write: "on" }
  const { field, mistakes, typed } = makeForm(refused, labels, fresh, { expires_at: "expires" })
  return Effect.succeed({
    title: "Create a key",
    part: "developers",
    lead: "Create one key per application, so that you can see when it was used and revoke it separately.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <FormErrorNote of={mistakes} />
        <Field
          {...field("name")}
          hint="The application that uses the key, such as “Website”."
          input={{ maxLength: 80, autocomplete: "off", dir: "auto" }}
        />
        <fieldset id="scopes" tabIndex={-1}>
          <legend class="label">{labels.scopes}</legend>
          {mistakes.of("scopes") !== undefined && <p class="bad small">{mistakes.of("scopes")}</p>}
          {scopes.map((scope) => (
            <Check
              key={scope}
              name={`scope_${scope}`}
              label={words[scope].label}
              hint={words[scope].hint}
              checked={typed[`scope_${scope}`] === "on"}
            />
          ))}
        </fieldset>
        <Select
          {...field("expires")}
          value={typed["expires"] ?? ""}
          options={[["", "until it is revoked"], ["30", "30 days"], ["90", "90 days"], ["365", "a year"]]}
        />
        <FormButtons site={site} confirm="Create key" back="/dashboard/developers" />
      </form>
    )
  })
}

const words: { readonly [Scope in KeyScope]: { readonly label: string; readonly hint: string } } = {
  read: { label: "Read", hint: "Offerings, availability, bookings, guests, and messages." },
  write: { label: "Write", hint: "Create, move, and cancel bookings, change offerings, and message guests." },
  admin: { label: "Admin", hint: "Settings, webhooks, and the data export." }
}

/** Creates the key and shows it once. */
export const act: FormAction = ({ clock: { now }, form, request, run, shown }) => {
  const days = daysOf(form["expires"])
  const made = run(staffCreateKey, {
    name: form["name"] ?? "",
    scopes: scopes.filter((scope) => form[`scope_${scope}`] === "on"),
    ...(days === undefined ? {} : { expires_at: Instant.format(Instant.addMinutes(now, days * 24 * 60)) })
  })
  return Effect.map(made, (key) => keyPage(shown, key, siteRoot(shown.site, request) ?? ""))
}

const daysOf = (expires: string | undefined): number | undefined =>
  expires === "30" || expires === "90" || expires === "365" ? Number(expires) : undefined
