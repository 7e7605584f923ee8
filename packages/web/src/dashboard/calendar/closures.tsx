/** The closed dates: the list, the form for a new closure, and the bookings that a closure affects. */
import { bookingsCancel, closuresCreate, closuresDelete, closuresList, dashboardClosure } from "@trailbook/core/booking"
import { messagesSend } from "@trailbook/core/conversation"
import type { ClosureView } from "@trailbook/core/offering"
import { sessionsCancel } from "@trailbook/core/session"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import type { Format } from "../../text/Format.ts"
import { ActionButton, Button, Link, Select, TextAreaField } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { formPage } from "../kit/operationForm.tsx"
import { confirmPage, page, type PageContext, redirectTo } from "../kit/page.tsx"
import { AffectedGuests, changedBookingsRefusal, loadAffectedBookingsSummary } from "../offerings/AffectedGuests.tsx"
import { loadOfferingNames } from "../offerings/offeringTexts.tsx"

/** Current and upcoming closures. */
export const closuresPage = listPage("/closures", closuresList, {
  where: ({ clock: { today } }) => ({ from: LocalDate.format(today) }),
  *view(context, { rows }) {
    const { format } = context
    const names = new Map(yield* loadOfferingNames(context, 200))
    return {
      title: "Closed dates",
      lead: "Guests cannot book these dates. Existing bookings are kept.",
      actions: (
        <>
          <Button to="/calendar">Calendar</Button>
          <Button icon="plus" look="main" to="/closures/new">Close dates</Button>
        </>
      ),
      empty: "No dates are closed. Close dates for high water, weather, or holidays.",
      rows: (
        <ul class="rows">
          {rows.map((closure) => (
            <li key={closure.id}>
              <div class="grow">
                <b>{formatClosureRange(format, closure)}</b>
                <p class="soft small" dir="auto">
                  {`${closure.reason} · ${names.get(closure.offering_id ?? "") ?? "All activities"}`}
                </p>
              </div>
              <div class="acts">
                <Button to={`/closures/${closure.id}`} aria-label={`Bookings: ${formatClosureRange(format, closure)}`}>
                  Bookings
                </Button>
                <ActionButton
                  to={`/closures/${closure.id}/delete`}
                  aria-label={`Reopen: ${formatClosureRange(format, closure)}`}
                >
                  Reopen
                </ActionButton>
              </div>
            </li>
          ))}
        </ul>
      )
    }
  }
})

export const deleteClosurePage = page("/closures/:id/delete", {
  *submit({ id, run }) {
    yield* run(closuresDelete, { id })
    return redirectTo("/closures", "dates_opened")
  }
})

export const newClosurePage = formPage("/closures/new", closuresCreate, {
  fields: {
    from_date: "First date",
    to_date: "Last date",
    start_time: { label: "Closed from", optional: "leave empty to close the whole day" },
    end_time: { label: "Closed until", optional: "leave empty to close the whole day" },
    offering_id: { label: "Activity", isOwn: true },
    reason: { label: "Reason", hint: "Guests see the reason on the booking page, for example “Closed: High water”." }
  },
  *view(context) {
    const { clock: { today }, query } = context
    const date = LocalDate.format(LocalDate.parse(query("date") ?? "") ?? today)
    const names = yield* loadOfferingNames(context, 200)
    return {
      title: "Close dates",
      lead: "Stops new bookings. Existing bookings are kept until you cancel them.",
      values: { from_date: date, to_date: date },
      own: { offering_id: query("offering") ?? "" },
      button: "Close dates",
      back: "/closures",
      backLabel: "Cancel",
      children: (fields, { error, typedValues }) => (
        <>
          <div class="fields">{fields("from_date", "to_date")}</div>
          <div class="fields">{fields("start_time", "end_time")}</div>
          <Select
            name="offering_id"
            label="Activity"
            value={typedValues["offering_id"]}
            error={error("offering_id")}
            options={[["", "All activities"], ...names]}
          />
          {fields("reason")}
        </>
      )
    }
  },
  *submit({ form, run }, input) {
    const { offering_id: activity = "" } = form
    const { bookings, id } = yield* run(closuresCreate, {
      ...input,
      // Convert midnight, because a time input does not accept 24:00.
      ...(input.end_time === "00:00" ? { end_time: "24:00" } : {}),
      offering_id: activity === "" ? null : activity
    })
    return redirectTo(bookings === 0 ? "/closures" : `/closures/${id}`, "dates_closed")
  }
})

/** The bookings within a closure. They can be canceled with a single message to their guests. */
export const closurePage = confirmPage("/closures/:id", {
  *view(context) {
    const { format, rejection } = context
    const closureView = yield* loadClosure(context)
    const affected = { bookings: closureView.bookings, isMore: false }
    const content = {
      title: "Booked guests on closed dates",
      lead: <span dir="auto">{`${formatClosureRange(format, closureView)} · ${closureView.reason}`}</span>
    }
    if (closureView.bookings.length === 0) {
      return {
        ...content,
        reason: "No upcoming bookings start on these dates.",
        back: "/closures",
        backLabel: "Closed dates"
      }
    }
    return {
      ...content,
      happens: [
        ...yield* loadAffectedBookingsSummary(context, affected),
        "These bookings and their departures are canceled. This cannot be undone."
      ],
      children: (
        <>
          <AffectedGuests affected={affected} />
          <TextAreaField
            name="body"
            label="Message to these guests"
            hint="Sent in addition to the cancellation email. If this field is empty, guests get only the cancellation email."
            optional="optional"
            rows={5}
            maxLength={5000}
            value={rejection?.form["body"] ??
              `We are sorry, but we cannot run your trip (${closureView.reason}) and have canceled your booking. ` +
                "Would another day work for you? Just reply to this email."}
          />
          <p class="soft small">
            To move guests instead, open their bookings. To message guests without canceling, use a{" "}
            <Link to={`/broadcast?date=${closureView.from_date}`}>group message</Link>.
          </p>
        </>
      ),
      button: `Cancel ${closureView.bookings.length === 1 ? "1 booking" : `${closureView.bookings.length} bookings`}`,
      back: "/closures",
      backLabel: "Keep bookings",
      hidden: { seen: closureView.bookings.length }
    }
  },
  *submit(context) {
    const { form, run } = context
    const { bookings } = yield* loadClosure(context)
    if (String(bookings.length) !== form["seen"]) return yield* changedBookingsRefusal
    const body = (form["body"] ?? "").trim()
    const guests = new Map(
      bookings.filter(({ status }) => status === "confirmed").map(({ customer_id, id }) => [customer_id, id])
    )
    // A booking can be canceled only once, so its ID serves as the message key. Submitting the form again therefore
    // sends no second message.
    for (const booking_id of body === "" ? [] : guests.values()) {
      yield* Effect.catchIf(
        run(messagesSend, { booking_id, body, idempotency_key: booking_id }),
        ({ code }) => code === "customer_erased" || code === "idempotency_conflict",
        () => Effect.void
      )
    }
    for (const id of new Set(bookings.flatMap(({ session_id: id }) => id ?? []))) yield* run(sessionsCancel, { id })
    for (const { id, session_id } of bookings) if (session_id === null) yield* run(bookingsCancel, { id })
    return redirectTo("/closures", "called_off")
  }
})

const loadClosure = ({ id, now, run }: PageContext) =>
  Effect.map(run(dashboardClosure, { id }), (closureView) => ({
    ...closureView,
    bookings: closureView.bookings.filter(({ starts_at }) => starts_at > now)
  }))

/** Formats a closure's dates and times, such as `Tue, Jun 8 – Wed, Jun 9, 12:00 PM – 3:00 PM`. */
const formatClosureRange = (
  { shortDate, wall }: Format,
  { end_time: end, from_date: from, start_time: start, to_date: to }: ClosureView
): string =>
  [
    from === to ? shortDate(from) : `${shortDate(from)} – ${shortDate(to)}`,
    ...start === null || end === null ? [] : [`${wall(start)} – ${wall(end)}`]
  ].join(", ")
