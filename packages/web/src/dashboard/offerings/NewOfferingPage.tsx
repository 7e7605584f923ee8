import { type Kind, make } from "@trailbook/core/offering/Offering"
import { offeringsCreate } from "@trailbook/core/offering/offeringOperations"
import { offeringView } from "@trailbook/core/offering/OfferingView"
import { invalid } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { Hidden } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import { Check, FormButtons, Link } from "../kit/elements.tsx"
import type { DashboardPage, FormAction, PageContext, PageView } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { isKind, kinds } from "./kinds.ts"
import { SettingsFields } from "./SettingsFields.tsx"
import { fieldAliases, fieldLabels, settingsIn, typedSettings } from "./settingsForm.ts"

/** Creates an offering in two steps: the kind, then the settings with the defaults of the kind. */
export const view: PageView = (asked) => {
  const kind = asked.refused?.form["kind"] ?? asked.query("kind")
  return Effect.succeed(isKind(kind) ? formPage(asked, kind) : choicePage())
}

const choicePage = (): DashboardPage => ({
  title: "Add an activity",
  part: "offerings",
  lead: "How is it booked?",
  isLive: false,
  body: (
    <ul class="choices">
      {Object.entries(kinds).map(([kind, { example, name, words }]) => (
        <li key={kind}>
          <Link class="card pad choice" to={`/offerings/new?kind=${kind}`}>
            <b>{name}</b>
            <span>{words}</span>
            <span class="soft small">{`${example}.`}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
})

const formPage = ({ refused, shown: { org, site } }: PageContext, kind: Kind): DashboardPage => {
  const plain = offeringView(make({ id: "", orgId: org.id, kind, name: "", createdAt: Instant.min }))
  const fresh = { ...typedSettings(plain, org.currency), price: "", active: "on" }
  const form = makeForm(refused, fieldLabels(kind), fresh, fieldAliases)
  return {
    title: "Add an activity",
    part: "offerings",
    lead: `${kinds[kind].name}. ${kinds[kind].words}`,
    isLive: false,
    body: (
      <form class="stack form" method="post" action={site.link("/dashboard/offerings/new")} data-once="">
        <FormErrorNote of={form.mistakes} />
        <SettingsFields kind={kind} currency={org.currency} of={form} />
        <Check
          name="active"
          label="Open for booking"
          checked={form.typed["active"] === "on"}
          hint={kind === "class"
            ? "Guests can book as soon as it has departures. If unchecked, booking is paused and guests do not see it."
            : "Open daily 9:00 to 17:00 until you set its hours. If unchecked, booking is paused and guests do not see it."}
        />
        <Hidden values={{ kind, key: form.typed["key"] ?? crypto.randomUUID() }} />
        <FormButtons button="Add" back="/offerings" backLabel="Cancel" />
      </form>
    )
  }
}

export const act: FormAction = ({ form, run, shown: { org } }) =>
  Effect.gen(function*() {
    const kind = form["kind"]
    if (!isKind(kind)) return yield* invalid("Choose a booking type.")
    const made = yield* run(offeringsCreate, {
      kind,
      ...(yield* settingsIn(form, kind, org.currency)),
      active: form["active"] === "on",
      idempotency_key: form["key"] ?? ""
    })
    return withFlash(`/dashboard/offerings/${made.id}/${kind === "class" ? "sessions" : "hours"}`, "offering_added")
  })
