import { offeringsGet, offeringsGetHours, offeringsUpdate } from "@trailbook/core/offering/offeringOperations"
import { type HoursEntryView, type OfferingView } from "@trailbook/core/offering/OfferingView"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { Button, Card, Link } from "../kit/elements.tsx"
import type { DashboardContext, FormAction, PageView } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { type Bookability, BookabilityTag, BookabilityText, toBookability } from "./bookability.tsx"
import { HoursSummary } from "./HoursSummary.tsx"
import { kinds } from "./kinds.ts"
import { SettingsFields } from "./SettingsFields.tsx"
import { fieldAliases, fieldLabels, settingsIn, typedSettings } from "./settingsForm.ts"

/** An offering with its settings. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { param, refused, run, shown } = asked
    const { org, site } = shown
    const offering = yield* run(offeringsGet, { id: param("id") })
    const { id, kind } = offering
    const standing = yield* toBookability(asked, offering)
    const { data: hours } = yield* run(offeringsGetHours, { id })
    const form = makeForm(refused, fieldLabels(kind), typedSettings(offering, org.currency), fieldAliases)
    return {
      title: offering.name,
      part: "offerings",
      lead: kinds[kind].name,
      isLive: false,
      actions: (
        <>
          {kind === "class"
            ? <Button to={`/offerings/${id}/sessions`}>Dates</Button>
            : <Button to={`/offerings/${id}/hours`}>Weekly hours</Button>}
          {offering.active && <a class="btn" href={site.link(`/book/${org.slug}/${id}`)}>View booking page</a>}
        </>
      ),
      body: (
        <div class="two">
          <form class="stack" method="post" action={site.link(`/dashboard/offerings/${id}`)}>
            <FormErrorNote of={form.mistakes} />
            <SettingsFields kind={kind} currency={org.currency} of={form} />
            <p class="soft small">Existing bookings keep their time, length, and price.</p>
            <p class="acts">
              <button class="btn main">Save</button>
            </p>
          </form>
          <div class="stack">
            <StateCard offering={offering} standing={standing} shown={shown} />
            {kind !== "class" && <HoursCard id={id} hours={hours} shown={shown} />}
            <Card id="delete" title="Delete activity" pad="stack">
              <p class="soft">You can review the affected bookings first.</p>
              <p>
                <Button look="bad" to={`/offerings/${id}/delete`}>Delete…</Button>
              </p>
            </Card>
          </div>
        </div>
      )
    }
  })

const StateCard = (
  { offering, shown, standing }: {
    readonly offering: OfferingView
    readonly standing: Bookability
    readonly shown: DashboardContext
  }
) => (
  <Card id="state" title="State" headerEnd={<BookabilityTag of={standing} />}>
    <form
      class="pad stack"
      method="post"
      action={shown.site.link(`/dashboard/offerings/${offering.id}/pause`)}
    >
      <p>
        <BookabilityText id={offering.id} of={standing} shown={shown} />
      </p>
      <p>
        {offering.active
          ? <button class="btn" name="active" value="false">Pause booking</button>
          : <button class="btn main" name="active" value="true">Resume booking</button>}
      </p>
    </form>
  </Card>
)

const HoursCard = (
  { hours, id, shown }: {
    readonly hours: ReadonlyArray<HoursEntryView>
    readonly id: string
    readonly shown: DashboardContext
  }
) => (
  <Card
    id="hours"
    title="Weekly hours"
    headerEnd={<Link class="end" to={`/offerings/${id}/hours`}>Change</Link>}
  >
    <div class="pad">
      <HoursSummary hours={hours} format={shown.format} />
    </div>
  </Card>
)

export const act: FormAction = ({ form, param, run, shown: { org } }) =>
  Effect.gen(function*() {
    const { id, kind } = yield* run(offeringsGet, { id: param("id") })
    yield* run(offeringsUpdate, { id, ...(yield* settingsIn(form, kind, org.currency)) })
    return withFlash(`/dashboard/offerings/${id}`, "saved")
  })
