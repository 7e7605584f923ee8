import type { OfferingView } from "@trailbook/core/offering/OfferingView"
import { invalid } from "@trailbook/core/Refusal"
import { sessionsCreate, sessionsList } from "@trailbook/core/session/sessionOperations"
import { weeklyStarts } from "@trailbook/core/session/weeklyStarts"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type * as LocalTime from "@trailbook/core/time/LocalTime"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { zoneCity } from "../../text/Format.ts"
import { Field, Hidden } from "../../ui/Field.tsx"
import { withFlash } from "../frame/flashMessage.ts"
import { Card, Link } from "../kit/elements.tsx"
import { type Content, page } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { readOptionalInteger } from "../parts/numbers.ts"
import { parseStart } from "./parseStart.ts"
import { loadClass } from "./SessionsPage.tsx"

/** Adds departures of a class, either one or weekly ones. They are previewed first. */
export const newSessions = page("/offerings/:id/sessions/new", {
  *view(asked) {
    const offering = yield* loadClass(asked)
    const tomorrow = LocalDate.format(LocalDate.addDays(asked.clock.today, 1))
    const fresh = { date: tomorrow, time: "09:00", weeks: "1", capacity: "" }
    return content(asked, offering, fresh, undefined)
  },
  *submit(asked) {
    const { clock: { zone }, form, run, shown: { org } } = asked
    const offering = yield* loadClass(asked)
    const { start: first, starts_at, time, weeks } = yield* parseStart(form, org.timezone)
    const capacity = yield* readOptionalInteger(form, "capacity")
    if (form["do"] === "add") {
      const { data } = yield* run(sessionsCreate, {
        offering_id: offering.id,
        starts_at,
        repeat_weeks: weeks,
        capacity,
        idempotency_key: form["key"] ?? ""
      })
      return withFlash(
        `/dashboard/offerings/${offering.id}/sessions?from=${LocalDate.format(zone.dateAt(first))}`,
        data.length === 1 ? "date_added" : "dates_added"
      )
    }
    if (capacity !== null && (capacity < 1 || capacity > 10_000)) return yield* invalid("capacity: must be 1 to 10000")
    return content(asked, offering, form, yield* judged(asked, offering, weeklyStarts(zone, first, weeks), time))
  }
})

const labels = { date: "First date", time: "Time", weeks: "How many weeks", capacity: "Seats" }

type Planned = ReadonlyArray<{ readonly at: string; readonly words: string | undefined }>

const content = (
  { refused, shown: { format, org, site } }: PageContext,
  offering: OfferingView,
  fresh: Form,
  planned: Planned | undefined
): Content => {
  const path = site.link(`/dashboard/offerings/${offering.id}/sessions/new`)
  const { field: of, mistakes, typed } = makeForm(refused, labels, fresh, { starts_at: "date", repeat_weeks: "weeks" })
  const { capacity, date, time, weeks } = typed
  return {
    title: "Add departures",
    lead: (
      <>
        <Link to={`/offerings/${offering.id}/sessions`} dir="auto">{offering.name}</Link>
        {` · ${format.length(offering.duration_minutes)} · times are local to ${zoneCity(org.timezone)}`}
      </>
    ),
    body: (
      <div class="stack form">
        <FormErrorNote of={mistakes} />
        {planned !== undefined && (
          <Card id="planned" title={planned.length === 1 ? "This departure" : `These ${planned.length} departures`}>
            <ol class="rows">
              {planned.map(({ at, words }) => (
                <li key={at}>
                  <span class="num grow">{`${format.longDay(at)}, ${format.time(at)} ${format.zone(at)}`}</span>
                  {words !== undefined && <span class="tag warn">{words}</span>}
                </li>
              ))}
            </ol>
            <form class="pad acts" method="post" action={path} data-once="">
              <Hidden values={{ date, time, weeks, capacity, key: crypto.randomUUID(), do: "add" }} />
              <button class="btn main">
                {planned.length === 1 ? "Add departure" : `Add ${planned.length} departures`}
              </button>
            </form>
          </Card>
        )}
        <form class="card pad stack" method="post" action={path}>
          {planned !== undefined && <h2>Edit</h2>}
          <div class="fields">
            <Field {...of("date")} input={{ type: "date" }} />
            <Field {...of("time")} input={{ type: "time" }} />
            <Field
              {...of("weeks")}
              hint="1 to 52. The departure repeats weekly at the same time."
              input={{ type: "number", min: 1, max: 52 }}
            />
            <Field
              {...of("capacity")}
              optional={`${offering.capacity} if empty`}
              input={{ type: "number", min: 1, max: 10_000 }}
            />
          </div>
          <p>
            <button class={planned === undefined ? "btn main" : "btn"}>Preview departures</button>
          </p>
        </form>
      </div>
    )
  }
}

/** Warnings about a start: it already exists, is in the past, or is too far ahead to be booked. */
const judged = (
  { clock: { now, today, zone }, run }: PageContext,
  { id, max_advance_days }: OfferingView,
  starts: ReadonlyArray<Instant.Instant>,
  time: LocalTime.LocalTime
) => {
  const horizon = LocalDate.addDays(today, max_advance_days)
  return Effect.forEach(starts, (start) => {
    const [at, to] = [Instant.format(start), Instant.format(Instant.make(start + 1))]
    const there = run(sessionsList, { offering_id: id, from: at, to, status: "scheduled", limit: 1 })
    return Effect.map(there, ({ data }) => ({
      at,
      words: data.length > 0
        ? "A departure at this time already exists"
        : start <= now
        ? "In the past: cannot be booked"
        : zone.dateAt(start) > horizon
        ? "Booking opens later: too far ahead"
        : zone.wallAt(start).millisOfDay !== time * 1000
        ? "The clocks change on this day"
        : undefined
    }))
  })
}
