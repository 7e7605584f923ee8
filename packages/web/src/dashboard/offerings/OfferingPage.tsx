import { type HoursEntryView, type OfferingView } from "@trailbook/core/offering/OfferingView"
import { offeringsGet, offeringsGetHours, offeringsUpdate } from "@trailbook/core/operation/offeringOperations"
import * as Effect from "effect/Effect"
import { saying } from "../frame/said.ts"
import { Card } from "../parts/Card.tsx"
import { formOf, MistakesNote } from "../parts/Mistakes.tsx"
import type { Act, DeskShown, View } from "../View.ts"
import { HoursWords } from "./HoursWords.tsx"
import { kinds } from "./kinds.ts"
import { SettingsFields } from "./SettingsFields.tsx"
import { labelsOf, settingsIn, typedSettings, under } from "./settingsForm.ts"
import { type Standing, standingOf, StandingTag, StandingWords } from "./standing.tsx"

/**
 * An offering with all of its settings.
 *
 * @category views
 */
export const view: View = (asked) =>
  Effect.gen(function*() {
    const { param, refused, run, shown } = asked
    const { org, site } = shown
    const offering = yield* run(offeringsGet, { id: param("id") })
    const { id, kind } = offering
    const standing = yield* standingOf(asked, offering)
    const { data: hours } = yield* run(offeringsGetHours, { id })
    const form = formOf(refused, labelsOf(kind), typedSettings(offering, org.currency), under)
    return {
      title: offering.name,
      part: "offerings",
      lead: kinds[kind].name,
      isLive: false,
      actions: (
        <>
          {kind === "class"
            ? <a class="btn" href={site.link(`/dashboard/offerings/${id}/sessions`)}>Dates</a>
            : <a class="btn" href={site.link(`/dashboard/offerings/${id}/hours`)}>Weekly hours</a>}
          {offering.active && <a class="btn" href={site.link(`/book/${org.slug}/${id}`)}>See its page</a>}
        </>
      ),
      body: (
        <div class="two">
          <form class="stack" method="post" action={site.link(`/dashboard/offerings/${id}`)}>
            <MistakesNote of={form.mistakes} />
            <SettingsFields kind={kind} currency={org.currency} of={form} />
            <p class="soft small">Bookings that exist keep their time, length and price.</p>
            <p class="acts">
              <button class="btn main">Save</button>
            </p>
          </form>
          <div class="stack">
            <StateCard offering={offering} standing={standing} shown={shown} />
            {kind !== "class" && <HoursCard id={id} hours={hours} shown={shown} />}
            <Card id="delete" title="Delete it" pad="stack">
              <p class="soft">Before anything is done you see which bookings it would cancel.</p>
              <p>
                <a class="btn bad" href={site.link(`/dashboard/offerings/${id}/delete`)}>Delete…</a>
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
    readonly standing: Standing
    readonly shown: DeskShown
  }
) => (
  <Card id="state" title="State" beside={<StandingTag of={standing} />}>
    <form
      class="pad stack"
      method="post"
      action={shown.site.link(`/dashboard/offerings/${offering.id}/pause`)}
    >
      <p>
        <StandingWords id={offering.id} of={standing} shown={shown} />
      </p>
      <p>
        {offering.active
          ? <button class="btn" name="active" value="false">Pause booking</button>
          : <button class="btn main" name="active" value="true">Let guests book it</button>}
      </p>
    </form>
  </Card>
)

const HoursCard = (
  { hours, id, shown }: {
    readonly hours: ReadonlyArray<HoursEntryView>
    readonly id: string
    readonly shown: DeskShown
  }
) => (
  <Card
    id="hours"
    title="Weekly hours"
    beside={<a class="end" href={shown.site.link(`/dashboard/offerings/${id}/hours`)}>Change</a>}
  >
    <div class="pad">
      <HoursWords hours={hours} format={shown.format} />
    </div>
  </Card>
)

export const act: Act = ({ form, param, run, shown: { org } }) =>
  Effect.gen(function*() {
    const { id, kind } = yield* run(offeringsGet, { id: param("id") })
    yield* run(offeringsUpdate, { id, ...(yield* settingsIn(form, kind, org.currency)) })
    return saying(`/dashboard/offerings/${id}`, "saved")
  })
