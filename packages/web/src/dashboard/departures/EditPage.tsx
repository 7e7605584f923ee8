import { invalid } from "@trailbook/core"
import { dashboardDeparture } from "@trailbook/core/booking"
import { sessionsUpdate } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { withFlash } from "../frame/getFlashMessage.ts"
import { Link } from "../kit/elements.tsx"
import { formPage, makeOperationForm } from "../kit/operationForm.tsx"
import { loadSession } from "../offerings/CancelSessionPage.tsx"
import type { PageContext } from "../Page.ts"
import { formatMoment, parseDateTimeLocal, toDateTimeLocal } from "../parts/dateTimes.ts"

/** Changes the seats, start time, and staff notes for a class departure. */
export const editDeparturePage = formPage(
  "/departures/:id/edit",
  makeOperationForm(sessionsUpdate, {
    capacity: { label: "Seats", optional: "leave empty to use the activity's default" },
    starts_at: { label: "Start", isOwn: true },
    notes: {
      label: "Staff notes",
      rows: 4,
      hint: "For example, which guides, boats, and vans to use. Guests never see staff notes."
    }
  }),
  {
    *view(context) {
      const { format, org } = context
      const { offering, session } = yield* loadDepartureSession(context)
      const { booked, capacity, notes, starts_at } = session
      return {
        title: "Edit departure",
        lead: <span dir="auto">{`${offering.name}, ${formatMoment(format, starts_at)}`}</span>,
        values: { capacity, notes },
        own: { starts_at: toDateTimeLocal(starts_at, org.timezone) },
        button: "Save",
        back: `/departures/${session.id}`,
        backLabel: "Cancel",
        children: (fields, { error, typedValues }) => (
          <>
            {booked === 0
              ? (
                <Field
                  name="starts_at"
                  label="Start"
                  value={typedValues["starts_at"]}
                  error={error("starts_at")}
                  input={{ type: "datetime-local" }}
                />
              )
              : (
                <p class="note">
                  {`${booked} ${booked === 1 ? "seat is" : "seats are"} booked, so the start time cannot be changed. `}
                  <Link to={`/departures/${session.id}`}>Move these bookings first</Link>.
                </p>
              )}
            {fields("capacity")}
            <p class="soft small">Reducing the number of seats does not cancel bookings.</p>
            {fields("notes")}
          </>
        )
      }
    },
    *submit(context, input) {
      const { form, org, run } = context
      const { session: { id, starts_at: currentStart } } = yield* loadDepartureSession(context)
      const { starts_at: startText = "" } = form
      // Do not send an unchanged start time, so that the form also works for a departure with bookings.
      const startUpdate = startText === "" || startText === toDateTimeLocal(currentStart, org.timezone)
        ? {}
        : { starts_at: Instant.format(yield* parseDateTimeLocal("starts_at", startText, org.timezone)) }
      yield* run(sessionsUpdate, { ...input, id, ...startUpdate })
      return withFlash(`/dashboard/departures/${id}`, "saved")
    }
  }
)

const loadDepartureSession = ({ id, run }: PageContext) =>
  Effect.gen(function*() {
    const { offering, session_id: sessionId, starts_at: at } = yield* run(dashboardDeparture, { id })
    if (sessionId === null) {
      return yield* invalid("Only scheduled departures can be edited. Change the bookings instead.")
    }
    return { offering, session: yield* loadSession(run, { id: sessionId, offering_id: offering.id, at }) }
  })
