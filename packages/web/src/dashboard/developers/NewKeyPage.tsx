import { type KeyScope, scopes } from "@trailbook/core/actor/Actor"
import { staffCreateKey } from "@trailbook/core/operation/keyOperations"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { rootOf } from "../../rootOf.ts"
import { Field } from "../../ui/Field.tsx"
import { Check } from "../parts/Check.tsx"
import { MistakesNote, mistakesOf } from "../parts/Mistakes.tsx"
import { Select } from "../parts/Select.tsx"
import type { Act, View } from "../View.ts"
import { keyPage } from "./KeyPage.tsx"

/**
 * What a program is to be called and may do.
 *
 * @category views
 */
export const view: View = ({ refused, shown: { site } }) => {
  const mistakes = mistakesOf(refused, { name: "Name", scopes: "What it may do", expires: "Works for" }, {
    expires_at: "expires"
  })
  const typed = refused?.form ?? { scope_read: "on", scope_write: "on" }
  return Effect.succeed({
    title: "Create a key",
    part: "developers",
    lead: "One for each program, so that you see when each was used and can stop it alone.",
    isLive: false,
    body: (
      <form class="card pad stack narrow" method="post" data-once="">
        <MistakesNote of={mistakes} />
        <Field
          name="name"
          label="Name"
          hint="The program that will have it, such as “Website”."
          value={typed["name"]}
          error={mistakes.of("name")}
          input={{ maxLength: 80, autocomplete: "off", dir: "auto" }}
        />
        <fieldset id="scopes" tabIndex={-1}>
          <legend class="label">What it may do</legend>
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
          name="expires"
          label="Works for"
          value={typed["expires"] ?? ""}
          error={mistakes.of("expires")}
          options={[["", "until it is revoked"], ["30", "30 days"], ["90", "90 days"], ["365", "a year"]]}
        />
        <p class="acts">
          <button class="btn main">Create key</button>
          <a class="btn" href={site.link("/dashboard/developers")}>Go back</a>
        </p>
      </form>
    )
  })
}

const words: { readonly [Scope in KeyScope]: { readonly label: string; readonly hint: string } } = {
  read: { label: "Read", hint: "Offerings, availability, bookings, guests and messages." },
  write: { label: "Write", hint: "Book, move and cancel, change what is offered, write to guests." },
  admin: { label: "Admin", hint: "Settings, webhooks and the export of everything." }
}

/**
 * Makes the key, and shows it this one time.
 *
 * @category actions
 */
export const act: Act = (asked) =>
  Effect.gen(function*() {
    const { form, request, run, shown: { site } } = asked
    const days = daysOf(form["expires"])
    const now = yield* moment
    const made = yield* run(staffCreateKey, {
      name: form["name"] ?? "",
      scopes: scopes.filter((scope) => form[`scope_${scope}`] === "on"),
      ...(days === undefined ? {} : { expires_at: Instant.format(Instant.addMinutes(now, days * 24 * 60)) })
    })
    return keyPage(asked.shown, made, rootOf(site, request) ?? "")
  })

const daysOf = (expires: string | undefined): number | undefined =>
  expires === "30" || expires === "90" || expires === "365" ? Number(expires) : undefined
