/** A class's departures: the list, and the page to cancel one. */
import { invalid, notFound } from "@trailbook/core"
import { offeringsGet } from "@trailbook/core/offering"
import { type BookedSessionView, sessionsCancel, sessionsList } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { getZoneCity } from "../../text/Format.ts"
import { Button, CursorPager, EmptyNote, Link } from "../kit/elements.tsx"
import { confirmPage, getPageUrl, page, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import {
  AffectedGuests,
  changedBookingsRefusal,
  loadAffectedBookings,
  loadAffectedBookingsSummary
} from "./AffectedGuests.tsx"

const pageSize = 50

/** Lists a class's departures, starting on a date. */
export const sessionsPage = page("/offerings/:id/sessions", {
  *view(context) {
    const { clock: { today, zone }, org, path, query, run } = context
    const offering = yield* loadClassOffering(context)
    const fromDate = LocalDate.parse(query("from") ?? "") ?? today
    const cursor = query("cursor")
    const { data, next_cursor } = yield* run(sessionsList, {
      offering_id: offering.id,
      from: Instant.format(zone.startOf(fromDate)),
      limit: pageSize,
      cursor
    })
    const from = LocalDate.format(fromDate)
    return {
      title: "Dates",
      lead: (
        <>
          <Link to={`/offerings/${offering.id}`} dir="auto">{offering.name}</Link>
          {` · all times are in ${getZoneCity(org.timezone)} time`}
        </>
      ),
      actions: <Button icon="plus" look="main" to={`${path}/new`}>Add departures</Button>,
      body: (
        <section class="card" aria-label="Dates">
          <header>
            <form class="pair" method="get" action={getPageUrl(context)}>
              <label class="pair">
                From
                <input class="input" type="date" name="from" value={from} />
              </label>
              <button class="btn">Show</button>
            </form>
          </header>
          {data.length === 0 && (
            <EmptyNote>
              {cursor === undefined && fromDate === today
                ? "No upcoming departures. Add a departure so that guests can book."
                : "No departures on or after this date."}
            </EmptyNote>
          )}
          <ul class="rows">
            {data.map((session) => <Row key={session.id} session={session} seats={offering.capacity} />)}
          </ul>
          <CursorPager next={next_cursor} query={{ from }} />
        </section>
      )
    }
  }
})

/**
 * Loads the class specified in the path. Other kinds of offerings have no sessions, so the page does not exist for
 * them.
 */
export const loadClassOffering = ({ param, run }: Pick<PageContext, "param" | "run">) =>
  Effect.filterOrFail(
    run(offeringsGet, { id: param("id") }),
    ({ kind }) => kind === "class",
    () => invalid("This activity uses weekly hours, not scheduled departures.")
  )

const Row = ({ seats, session }: { readonly session: typeof BookedSessionView.Type; readonly seats: number }) => {
  const { format, now, path } = usePage()
  const { booked, ends_at, id, starts_at, status } = session
  const capacity = session.capacity ?? seats
  const day = format.longDay(starts_at)
  const hasStarted = starts_at <= now
  return (
    <li>
      <div class="grow">
        <Link class="title" to={`/departures/${id}`}>{day}</Link>
        <p class="soft num">{`${format.time(starts_at)} – ${format.time(ends_at)} ${format.zone(starts_at)}`}</p>
      </div>
      <div class="fact">
        <span class="num">{`${booked} of ${capacity} seats booked`}</span>
        <progress
          class="meter"
          max={Math.max(capacity, 1)}
          value={Math.min(booked, capacity)}
          aria-label={`Bookings on ${day}`}
        />
      </div>
      <p class="state">
        {status === "cancelled"
          ? <span class="tag bad">Canceled</span>
          : hasStarted
          ? <span class="tag">Started</span>
          : booked >= capacity
          ? <span class="tag warn">Full</span>
          : <span class="tag ok">{`${capacity - booked} left`}</span>}
      </p>
      <p class="state">
        {status === "scheduled" && ends_at > now && (
          <Button
            look="bad"
            to={`${path}/${id}/cancel?${new URLSearchParams({ at: starts_at })}`}
            aria-label={`Cancel ${day}, ${format.time(starts_at)}`}
          >
            Cancel…
          </Button>
        )}
      </p>
    </li>
  )
}

export const cancelSessionPage = confirmPage("/offerings/:id/sessions/:session/cancel", {
  *view(context) {
    const { format, rejection } = context
    const offering = yield* loadClassOffering(context)
    const session = yield* loadPathSession(context, rejection?.form["at"] ?? context.query("at"))
    const affected = yield* loadAffectedBookings(context, { session_id: session.id })
    const back = `/offerings/${offering.id}/sessions` as const
    const at = session.starts_at
    const content = {
      title: "Cancel this departure?",
      lead: (
        <>
          <span dir="auto">{offering.name}</span>
          {` · ${format.longDay(at)}, ${format.time(at)} ${format.zone(at)}`}
        </>
      )
    }
    if (session.status === "cancelled") {
      return { ...content, reason: "This departure is already canceled.", back, backLabel: "Back to departures" }
    }
    return {
      ...content,
      happens: [
        ...yield* loadAffectedBookingsSummary(context, affected),
        "This cannot be undone. You can add the departure again later."
      ],
      children: <AffectedGuests affected={affected} />,
      button: "Cancel departure",
      back,
      backLabel: "Keep departure",
      hidden: { at, seen: affected.bookings.length }
    }
  },
  *submit(context) {
    const { form, run } = context
    const session = yield* loadPathSession(context, form["at"])
    const { bookings } = yield* loadAffectedBookings(context, { session_id: session.id })
    if (session.status !== "cancelled" && String(bookings.length) !== form["seen"]) {
      return yield* changedBookingsRefusal
    }
    yield* run(sessionsCancel, { id: session.id })
    return redirectTo(`/offerings/${session.offering_id}/sessions`, "date_cancelled")
  }
})

/** Loads the session specified in the path. */
const loadPathSession = ({ param, run }: PageContext, at: string | undefined) =>
  loadSession(run, { id: param("session"), offering_id: param("id"), at: at ?? "" })

/** Loads a session. The list of sessions can be searched only by start time. */
export const loadSession = (
  run: PageContext["run"],
  { at, id, offering_id }: { readonly id: string; readonly offering_id: string; readonly at: string }
) =>
  Effect.gen(function*() {
    const start = Instant.parse(at)
    if (start === undefined) return yield* notFound("session", id)
    const { data } = yield* run(sessionsList, {
      offering_id,
      from: Instant.format(start),
      to: Instant.format(Instant.make(start + 1)),
      limit: 500
    })
    return data.find((session) => session.id === id) ?? (yield* notFound("session", id))
  })
