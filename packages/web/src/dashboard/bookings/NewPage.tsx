import { invalid } from "@trailbook/core"
import { bookingsCreate } from "@trailbook/core/booking"
import { customersGet } from "@trailbook/core/customer"
import { offeringsList, type OfferingView } from "@trailbook/core/offering"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import { isUuid } from "../../operationCaller.ts"
import { href } from "../../ui/href.ts"
import { Card, EmptyNote, Field, HiddenFields, Link, Select, TextAreaField } from "../kit/elements.tsx"
import { page, type PageContent, type PageContext, redirectTo } from "../kit/page.tsx"
import { formatUnitPrice, quantityLabels } from "../offerings/offeringTexts.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"
import { DayLinks, loadSlotDays, parseSlot, type SlotDays, TimeChoices } from "./SlotChoices.tsx"

const path = "/dashboard/bookings/new"

const labels = {
  slot: "Time",
  quantity: "Quantity",
  periods: "Periods",
  email: "Email",
  name: "Name",
  phone: "Phone",
  notes: "Notes",
  hold_minutes: "Confirm or hold"
}

/**
 * Creates a booking in the dashboard. The form includes the offering, the start times with their remaining capacity,
 * and the guest.
 */
export const newBookingPage = page("/bookings/new", {
  *view(context) {
    const { query, rejection, run } = context
    const { data: offerings } = yield* run(offeringsList, { limit: 500 })
    const requestedId = rejection?.form["offering"] ?? query("offering")
    const offering = offerings.find(({ id }) => id === requestedId) ??
      (offerings.length === 1 ? offerings[0] : undefined)
    if (offering === undefined) return renderOfferings(context, offerings)
    const values: Form = rejection?.form ?? { ...yield* loadGuest(context), quantity: query("quantity") ?? "1" }
    const availability = yield* loadSlotDays(context, {
      offering,
      quantity: 1,
      periods: parsePeriods(rejection?.form["periods"] ?? query("periods"), offering.max_periods),
      from: rejection?.form["from"] ?? query("from"),
      date: rejection?.form["date"] ?? query("date")
    })
    return renderForm(context, offering, availability, values)
  },
  *submit({ form, run }) {
    const { email = "", hold_minutes: hold = "", name = "", notes = "", phone = "", slot = "" } = form
    if (slot === "") return yield* invalid("slot: choose a time")
    const booking = yield* run(bookingsCreate, {
      offering_id: form["offering"] ?? "",
      ...parseSlot(slot),
      quantity: Number(form["quantity"] ?? "1"),
      customer: { email, ...(name === "" ? {} : { name }), ...(phone === "" ? {} : { phone }) },
      notes,
      periods: form["periods"] === undefined ? undefined : Number(form["periods"]),
      hold_minutes: hold === "" ? undefined : Number(hold),
      idempotency_key: form["key"] ?? ""
    })
    return redirectTo(`/bookings/${booking.id}`, booking.status === "held" ? "held" : "booked")
  }
})

const parsePeriods = (text: string | undefined, max: number): number =>
  text === undefined || !/^[1-9]\d{0,4}$/.test(text) ? 1 : Math.min(Number(text), max)

/** Prefills the details of a returning guest. */
const loadGuest = ({ query, run }: PageContext) => {
  const id = query("guest")
  if (id === undefined || !isUuid(id)) return Effect.succeed<Form>({})
  return Effect.match(run(customersGet, { id }), {
    onFailure: (): Form => ({}),
    onSuccess: ({ email, name, phone }): Form => ({ email, name, phone })
  })
}

const renderOfferings = (
  context: PageContext,
  offerings: ReadonlyArray<OfferingView>
): PageContent => ({
  title: "New booking",
  lead: "Choose an activity",
  body: (
    <section class="card" aria-label="Activities">
      {offerings.length === 0 && (
        <EmptyNote>
          No activities yet. <Link to="/setup">Set up your first activity</Link>.
        </EmptyNote>
      )}
      {offerings.map((offering) => (
        <a
          class="row"
          key={offering.id}
          href={href(context, path, { offering: offering.id, guest: context.query("guest") })}
        >
          <b class="grow" dir="auto">{offering.name}</b>
          {!offering.active && <span class="tag warn">Paused</span>}
          <span class="soft">{formatUnitPrice(context.format, offering)}</span>
        </a>
      ))}
    </section>
  )
})

const renderForm = (
  context: PageContext,
  offering: OfferingView,
  availability: SlotDays,
  values: Form
): PageContent => {
  const { format, query, rejection, site } = context
  const isRental = offering.kind === "rental"
  const periods = String(parsePeriods(values["periods"] ?? query("periods"), offering.max_periods))
  const linkQuery = { offering: offering.id, guest: query("guest"), ...(isRental ? { periods } : {}) }
  const { field, key, mistakes } = makeFormState(
    rejection && { ...rejection, message: rejection.message.replace(/^customer\./, "") },
    labels,
    values,
    { starts_at: "slot", session_id: "slot" }
  )
  return {
    title: "New booking",
    lead: (
      <>
        <span dir="auto">{offering.name}</span> · {formatUnitPrice(format, offering)}
      </>
    ),
    actions: <a class="btn" href={href(context, path, { offering: "", guest: query("guest") })}>Change activity</a>,
    body: (
      <div class="stack">
        <FormErrorNote of={mistakes} />
        {!offering.active && (
          <p class="note">Booking is paused for this activity. Resume booking on the activity page to take bookings.</p>
        )}
        <Card id="when" title="When" pad="stack">
          <form class="filters" action={site.link(path)}>
            <HiddenFields values={{ offering: offering.id, guest: query("guest") }} />
            <Field name="date" label="Day" value={availability.date} input={{ type: "date" }} />
            {isRental && (
              <Field
                name="periods"
                label={`Number of periods (${format.length(offering.duration_minutes)} each)`}
                value={periods}
                input={{ type: "number", min: 1, max: offering.max_periods }}
              />
            )}
            <div class="acts">
              <button class="btn">Show times</button>
            </div>
          </form>
          <DayLinks open={availability} link={(days) => href(context, path, { ...linkQuery, ...days })} />
        </Card>
        <form class="stack" method="post" action={site.link(path)} data-once="">
          <HiddenFields
            values={{
              offering: offering.id,
              from: availability.days[0]?.date,
              date: availability.date,
              periods: isRental ? periods : undefined,
              key
            }}
          />
          <section class="card pad" aria-label="Time">
            <TimeChoices open={availability} name="slot" chosen={values["slot"]} />
          </section>
          <Card id="who" title="Guest">
            <p class="pad soft small">
              The confirmation is sent to the guest's email address. A guest with the same address is matched
              automatically.
            </p>
            <div class="fields pad">
              <Field
                {...field("quantity")}
                label={quantityLabels[offering.kind]}
                input={{ type: "number", min: 1, max: offering.max_per_booking, inputMode: "numeric" }}
              />
              <Field
                {...field("name")}
                optional="optional"
                input={{ maxLength: 120, autocomplete: "off", dir: "auto" }}
              />
              <Field {...field("email")} input={{ type: "email", maxLength: 254, autocomplete: "off" }} />
              <Field
                {...field("phone")}
                optional="optional"
                input={{ type: "tel", maxLength: 40, autocomplete: "off" }}
              />
              <Select {...field("hold_minutes")} options={holdOptions} />
              <TextAreaField {...field("notes")} optional="optional" rows={2} maxLength={2000} />
            </div>
            <p class="pad acts">
              <button class="btn main">Create booking</button>
            </p>
          </Card>
        </form>
      </div>
    )
  }
}

const holdOptions: ReadonlyArray<readonly [string, string]> = [
  ["", "Confirm now"],
  ["30", "Hold for 30 minutes"],
  ["60", "Hold for 1 hour"],
  ["240", "Hold for 4 hours"],
  ["1440", "Hold for 1 day"]
]
