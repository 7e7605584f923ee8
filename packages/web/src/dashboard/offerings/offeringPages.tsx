/** The pages to create, change, pause, and delete an offering. */
import { invalid } from "@trailbook/core"
import {
  offeringsCreate,
  offeringsDelete,
  offeringsGet,
  offeringsGetHours,
  offeringsUpdate,
  offeringView
} from "@trailbook/core/offering"
import { make, type OfferingKind, type TripInfo } from "@trailbook/core/offering/Offering"
import { sessionsList } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { Button, Card, Checkbox, Field, Link, TextAreaField } from "../kit/elements.tsx"
import { Form, type FormProps, type FormState, makeOperationForm } from "../kit/operationForm.tsx"
import { confirmPage, page, type PageContext, redirectTo } from "../kit/page.tsx"
import { readInteger } from "../parts/numberFields.ts"
import {
  AffectedGuests,
  changedBookingsRefusal,
  formatCount,
  loadAffectedBookings,
  loadAffectedBookingsSummary
} from "./AffectedGuests.tsx"
import { HoursSummary } from "./hours.tsx"
import {
  BookabilityTag,
  BookabilityText,
  isOfferingKind,
  loadBookability,
  offeringKindTexts
} from "./offeringTexts.tsx"

const capacityHints: { readonly [Of in OfferingKind]: string } = {
  class: "You can change the number of seats for a single departure.",
  appointment: "The number of guides or boats you have.",
  rental: "Items become available again after the booking and its buffer."
}

/** Maps the settings to shorter field names, because the names appear in links and are stored by browsers. */
const makeFields = (kind: OfferingKind) => ({
  name: "Name",
  description: { label: "Description", rows: 5 },
  location: "Meeting point",
  price_cents: {
    label: offeringKindTexts[kind].price,
    name: "price",
    hint: ({ org }: PageContext) => `In ${org.currency.toUpperCase()}. Enter 0 for free.`
  },
  duration_minutes: {
    label: offeringKindTexts[kind].length,
    name: "duration",
    ...(kind === "rental" ? { hint: "The length of one period, such as an hour, half a day, or a day." } : {})
  },
  capacity: { label: offeringKindTexts[kind].capacity, hint: capacityHints[kind] },
  max_per_booking: offeringKindTexts[kind].most,
  ...(kind === "rental"
    ? {
      max_periods: { label: "Maximum periods per booking", hint: "For example, 5 lets guests book up to 5 periods." }
    }
    : {}),
  min_notice_minutes: { label: "Minimum notice", name: "notice", hint: "0 allows bookings until the start." },
  max_advance_days: { label: "Booking window (days ahead)", hint: "For example, 365 for one year." },
  ...(kind === "class" ? {} : {
    slot_interval_minutes: {
      label: "Start every",
      name: "interval",
      hint: "If empty, a booking can start as soon as the previous booking and its buffer end."
    },
    buffer_minutes: {
      label: "Buffer after each booking",
      name: "buffer",
      hint: "Time to clean up and prepare. 0 means no extra time."
    }
  }),
  lat: { label: "Latitude", hint: "Adds a map link to bookings and sets the location for the weather forecast." },
  lon: { label: "Longitude", hint: "Used together with the latitude." },
  gauge_site: { label: "River gauge", hint: "The site number of a public station, such as 07091200." },
  metadata: { label: "Custom data (JSON)", hint: "A JSON object." },
  info: { label: "Before the trip", isOwn: true as const }
})

const createForms = {
  class: makeOperationForm(offeringsCreate, makeFields("class")),
  appointment: makeOperationForm(offeringsCreate, makeFields("appointment")),
  rental: makeOperationForm(offeringsCreate, makeFields("rental"))
}

const updateForms = {
  class: makeOperationForm(offeringsUpdate, makeFields("class")),
  appointment: makeOperationForm(offeringsUpdate, makeFields("appointment")),
  rental: makeOperationForm(offeringsUpdate, makeFields("rental"))
}

const renderSettings: NonNullable<FormProps["children"]> = (fields, { error, ...state }) => (
  <>
    <Card id="guests-read" title="Description" pad="stack">{fields("name", "description", "location")}</Card>
    <Card id="what-it-is" title="Price, duration, and capacity" pad="fields">
      {fields("price_cents", "duration_minutes", "capacity", "max_per_booking", "max_periods")}
    </Card>
    <Card id="when-booked" title="Booking rules" pad="fields">
      {fields("min_notice_minutes", "max_advance_days", "slot_interval_minutes", "buffer_minutes")}
    </Card>
    <Card id="before" title="Before the trip" pad="stack">
      <p class="soft small">Shown on the booking page, on the guest's page, and in the confirmation email.</p>
      <TextAreaField {...infoField(state, "bring", "Clothing and gear")} rows={2} maxLength={1000} />
      <TextAreaField {...infoField(state, "requirements", "Requirements")} rows={2} maxLength={1000} />
      <div class="fields">
        <Field {...infoField(state, "min_age", "Minimum age")} input={{ inputMode: "numeric", maxLength: 3 }} />
        <Field {...infoField(state, "waiver_url", "Waiver")} input={{ type: "url", maxLength: 2000 }} />
      </div>
    </Card>
    <details class="card" open={["lat", "lon", "gauge_site", "metadata"].some((name) => error(name))}>
      <summary class="pad">Map, river gauge, and custom data</summary>
      <div class="pad stack">
        <div class="fields">{fields("lat", "lon", "gauge_site")}</div>
        {fields("metadata")}
      </div>
    </details>
  </>
)

const infoField = ({ typedValues }: Pick<FormState, "typedValues">, name: keyof TripInfo, label: string) => ({
  name,
  label,
  optional: "optional",
  value: typedValues[name]
})

/** Returns the form values for `info`. */
const formatInfo = ({ bring, min_age, requirements, waiver_url }: TripInfo) => ({
  bring,
  requirements,
  min_age: min_age === null ? "" : String(min_age),
  waiver_url: waiver_url ?? ""
})

const readInfo = ({ form }: PageContext) =>
  Effect.map(
    form["min_age"]?.trim() ? readInteger(form, "min_age") : Effect.succeed(null),
    (min_age) => ({
      bring: form["bring"] ?? "",
      requirements: form["requirements"] ?? "",
      min_age,
      waiver_url: form["waiver_url"] ?? ""
    })
  )

/** Creates an offering in two steps: the kind, and then the settings with that kind's defaults. */
export const newOfferingPage = page("/offerings/new", {
  view({ org, query, rejection }) {
    const kind = rejection?.form["kind"] ?? query("kind")
    if (!isOfferingKind(kind)) {
      return {
        title: "Add an activity",
        lead: "How do guests book this activity?",
        body: (
          <ul class="choices">
            {Object.entries(offeringKindTexts).map(([kind, { example, name, words }]) => (
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
      }
    }
    const defaults = offeringView(make({ id: "", orgId: org.id, kind, name: "", createdAt: Instant.min }))
    return {
      title: "Add an activity",
      lead: `${offeringKindTexts[kind].name}. ${offeringKindTexts[kind].words}`,
      body: (
        <Form
          of={createForms[kind]}
          class="stack form"
          values={{ ...defaults }}
          own={{ price: "", buffer_unit: "minutes", active: "on", ...formatInfo(defaults.info) }}
          hidden={{ kind }}
          button="Add activity"
          back="/offerings"
          backLabel="Cancel"
        >
          {(fields, state) => (
            <>
              {renderSettings(fields, state)}
              <Checkbox
                name="active"
                label="Open for booking"
                checked={state.typedValues["active"] === "on"}
                hint={kind === "class"
                  ? "Guests can book as soon as you add departures. If unchecked, booking is paused and guests do not see the activity."
                  : "The activity is open daily from 9:00 to 17:00 until you set the hours. If unchecked, booking is paused and guests do not see the activity."}
              />
            </>
          )}
        </Form>
      )
    }
  },
  *submit(context) {
    const { form, run } = context
    const kind = form["kind"]
    if (!isOfferingKind(kind)) return yield* invalid("Choose a booking type.")
    const input = { ...yield* createForms[kind].read(context), info: yield* readInfo(context) }
    const { id } = yield* run(offeringsCreate, { ...input, kind, active: form["active"] === "on" })
    return redirectTo(`/offerings/${id}/${kind === "class" ? "sessions" : "hours"}`, "offering_added")
  }
})

export const offeringPage = page("/offerings/:id", {
  *view(context) {
    const { org, run, site } = context
    const offering = yield* run(offeringsGet, { id: context.id })
    const { active, buffer_minutes, id, kind } = offering
    const bookability = yield* loadBookability(context, offering)
    const { data: hours } = yield* run(offeringsGetHours, { id })
    return {
      title: offering.name,
      lead: offeringKindTexts[kind].name,
      actions: (
        <>
          {kind === "class"
            ? <Button to={`/offerings/${id}/sessions`}>Dates</Button>
            : <Button to={`/offerings/${id}/hours`}>Weekly hours</Button>}
          <Button to={`/offerings/${id}/prices`}>Prices</Button>
          <Button to={`/offerings/${id}/photos`}>Photos</Button>
          {active && <Button href={site.link(`/book/${org.slug}/${id}`)}>View booking page</Button>}
        </>
      ),
      body: (
        <div class="two">
          <Form
            of={updateForms[kind]}
            class="stack"
            values={{ ...offering }}
            own={{ ...formatInfo(offering.info), ...buffer_minutes === 0 ? { buffer_unit: "minutes" } : {} }}
            button="Save"
          >
            {(fields, state) => (
              <>
                {renderSettings(fields, state)}
                <p class="soft small">Existing bookings keep their time, length, and price.</p>
              </>
            )}
          </Form>
          <div class="stack">
            <Card id="state" title="Status" headerEnd={<BookabilityTag of={bookability} />}>
              <form class="pad stack" method="post" action={site.link(`/dashboard/offerings/${id}/pause`)}>
                <p>
                  <BookabilityText id={id} of={bookability} />
                </p>
                <p>
                  {active
                    ? <button class="btn" name="active" value="false">Pause booking</button>
                    : <button class="btn main" name="active" value="true">Resume booking</button>}
                </p>
              </form>
            </Card>
            {kind !== "class" && (
              <Card
                id="hours"
                title="Weekly hours"
                headerEnd={<Link class="end" to={`/offerings/${id}/hours`}>Change</Link>}
              >
                <div class="pad stack">
                  <HoursSummary hours={hours} />
                </div>
              </Card>
            )}
            <Card
              id="cancellation"
              title="Cancellation policy"
              pad="stack"
              headerEnd={<Link class="end" to={`/offerings/${id}/cancellation`}>Change</Link>}
            >
              <p>{offering.cancellation_policy === null ? "Uses your business policy." : "Uses its own policy."}</p>
            </Card>
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
  },
  *submit(context) {
    const { id, kind } = yield* context.run(offeringsGet, { id: context.id })
    const input = { ...yield* updateForms[kind].read(context), info: yield* readInfo(context) }
    yield* context.run(offeringsUpdate, { ...input, id })
    return redirectTo(`/offerings/${id}`, "saved")
  }
})

export const pauseOfferingPage = page("/offerings/:id/pause", {
  *submit({ form, run, ...context }) {
    const active = form["active"] === "true"
    const { id } = yield* run(offeringsUpdate, { id: context.id, active })
    return redirectTo(`/offerings/${id}`, active ? "resumed" : "paused")
  }
})

/** Deletes an offering, after listing the bookings that will be canceled. */
export const deleteOfferingPage = confirmPage("/offerings/:id/delete", {
  *view(context) {
    const { now, run } = context
    const { id, kind, name } = yield* run(offeringsGet, { id: context.id })
    const affected = yield* loadAffectedBookings(context, { offering_id: id })
    const sessions = kind === "class"
      ? yield* run(sessionsList, { offering_id: id, from: now, status: "scheduled", limit: 500 })
      : { data: [] }
    const departures = formatCount(sessions.data.length, "upcoming departure")
    return {
      title: "Delete this activity?",
      lead: <span dir="auto">{name}</span>,
      happens: [
        ...yield* loadAffectedBookingsSummary(context, affected),
        ...sessions.data.length === 0 ? [] : [
          `${sessions.next_cursor === undefined ? "" : "More than "}${departures} ${
            sessions.data.length === 1 ? "is" : "are"
          } canceled.`
        ],
        "The activity is permanently removed from your booking page. Past bookings are kept."
      ],
      button: affected.bookings.length === 0 ? "Delete activity" : "Cancel bookings and delete activity",
      back: `/offerings/${id}`,
      backLabel: "Keep activity",
      hidden: { seen: affected.bookings.length },
      children: (
        <>
          <p>
            To stop bookings temporarily, <Link to={`/offerings/${id}`}>pause the activity</Link>{" "}
            instead. Pausing cancels no bookings.
          </p>
          <AffectedGuests affected={affected} />
        </>
      )
    }
  },
  *submit(context) {
    const { form, run } = context
    const { id } = yield* run(offeringsGet, { id: context.id })
    const { bookings } = yield* loadAffectedBookings(context, { offering_id: id })
    if (String(bookings.length) !== form["seen"]) return yield* changedBookingsRefusal
    // Without this check, a booking that arrived after the preview would be canceled without being shown.
    const { pending } = yield* run(offeringsDelete, { id, cancel_bookings: bookings.length > 0 })
    return redirectTo("/offerings", pending > 0 ? "offering_deleting" : "offering_deleted")
  }
})
