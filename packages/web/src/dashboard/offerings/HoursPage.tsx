import { invalid } from "@trailbook/core"
import { type HoursEntryView, offeringsGet, offeringsGetHours, offeringsSetHours } from "@trailbook/core/offering"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { Form } from "@trailbook/http/request/formBody"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { getZoneCity } from "../../text/Format.ts"
import { Button, Card, EmptyNote, Field, FormButtons, HiddenFields, Icon, Link } from "../kit/elements.tsx"
import { page, type PageContent, type PageContext, redirectTo, usePage } from "../kit/page.tsx"
import { DefaultButton, RowButton } from "../kit/rows.tsx"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"
import {
  applyHoursButton,
  formatOpeningHours,
  formatSeason,
  getSeasonKey,
  type HoursRow,
  listSeasons,
  listWeekdaysFrom,
  parseHours,
  parseHoursRows,
  toHoursRows,
  yearRoundKey
} from "./hours.tsx"

/**
 * The weekly hours for an appointment or a rental, for the entire year or for one season. Every button submits the
 * entire form, so rows can be added and removed without JavaScript. Only Save stores the hours.
 */
export const hoursPage = page("/offerings/:id/hours", {
  *view(context) {
    const { query, rejection, run } = context
    const offering = yield* loadOfferingWithHours(context)
    if (rejection !== undefined) return renderEditor(context, offering, parseHoursRows(rejection.form), rejection.form)
    const { data } = yield* run(offeringsGetHours, { id: offering.id })
    const season = query("season") ?? yearRoundKey
    const [valid_from = "", valid_until = ""] = season.split("/")
    const isNew = season === newSeason
    const rows = toHoursRows(data.filter((entry) => getSeasonKey(entry) === (isNew ? yearRoundKey : season)))
    return renderEditor(context, offering, rows, isNew ? { season } : { season, valid_from, valid_until }, data)
  },
  *submit(context) {
    const { form, format, run } = context
    const offering = yield* loadOfferingWithHours(context)
    const rows = parseHoursRows(form)
    const nextRows = applyHoursButton(rows, form["do"])
    if (nextRows !== undefined) return renderEditor(context, offering, nextRows, form)
    const { season = yearRoundKey, valid_from = "", valid_until = "" } = form
    if (season !== yearRoundKey && `${valid_from}${valid_until}` === "") {
      return yield* invalid("valid_from: enter the first or last date of the season")
    }
    const entries = yield* parseHours(rows, format.weekdays("long"))
    const { data } = yield* run(offeringsGetHours, { id: offering.id })
    const dates = { ...(valid_from === "" ? {} : { valid_from }), ...(valid_until === "" ? {} : { valid_until }) }
    yield* run(offeringsSetHours, {
      id: offering.id,
      hours: [
        ...entries.map((entry) => ({ ...entry, ...dates })),
        ...data.filter((entry) => getSeasonKey(entry) !== season)
      ]
    })
    return redirectTo(`/offerings/${offering.id}`, "saved")
  }
})

/** The value of `season` in the URL that opens the form for a new season. */
const newSeason = "new"

/** The hours on individual dates, which replace the weekly hours on those dates. */
export const dateHoursPage = page("/offerings/:id/hours/dates", {
  *view(context) {
    const { format, rejection, run } = context
    const { id, name } = yield* loadOfferingWithHours(context)
    const { data } = yield* run(offeringsGetHours, { id })
    const dates = Arr.groupBy(data.filter(({ date }) => date !== undefined), ({ date = "" }) => date)
    const { field, mistakes } = makeFormState(rejection, { date: "Date", from: "From", to: "Until" }, {}, {
      hours: "date"
    })
    return {
      title: "Single dates",
      lead: (
        <>
          <Link to={`/offerings/${id}`} dir="auto">{name}</Link> · hours on these dates replace the weekly hours
        </>
      ),
      actions: <Button to={`/offerings/${id}/hours`}>Weekly hours</Button>,
      body: (
        <div class="stack form">
          <section class="card" aria-label="Single dates">
            {Object.keys(dates).length === 0 && (
              <EmptyNote>No single dates yet. Add a date below, such as a holiday.</EmptyNote>
            )}
            <ul class="rows">
              {Object.entries(dates).toSorted(([a], [b]) => a < b ? -1 : 1).map(([date, entries]) => (
                <li key={date}>
                  <div class="grow">
                    <b>{`${format.date(date)}, ${date.slice(0, 4)}`}</b>
                    <p class="soft num">{formatOpeningHours(format, entries)}</p>
                  </div>
                  <form method="post">
                    <button class="btn" name="remove" value={date} aria-label={`Remove ${format.date(date)}`}>
                      Remove
                    </button>
                  </form>
                </li>
              ))}
            </ul>
          </section>
          <form class="card pad stack" method="post" data-once="">
            <FormErrorNote of={mistakes} />
            <div class="fields">
              <Field {...field("date")} input={{ type: "date" }} />
              <Field {...field("from")} input={{ type: "time" }} />
              <Field {...field("to")} input={{ type: "time" }} />
            </div>
            <p class="soft small">
              To close a date, <Link to={`/closures/new?offering=${id}`}>close dates</Link> instead.
            </p>
            <FormButtons button="Add date" />
          </form>
        </div>
      )
    }
  },
  *submit(context) {
    const { form, format, run } = context
    const { id } = yield* loadOfferingWithHours(context)
    const { data } = yield* run(offeringsGetHours, { id })
    const { date = "", from = "", remove, to = "" } = form
    const day = LocalDate.parse(date)
    if (remove === undefined && day === undefined) return yield* invalid("date: must be a date such as 2027-05-01")
    const rows = day === undefined ? [] : [{ weekday: LocalDate.weekday(day), from, to }]
    const newHours = yield* parseHours(rows, format.weekdays("long"))
    if (remove === undefined && newHours.length === 0) return yield* invalid("from: enter both times")
    const otherHours = data.filter((entry) => remove === undefined || entry.date !== remove)
    yield* run(offeringsSetHours, { id, hours: [...otherHours, ...newHours.map((entry) => ({ ...entry, date }))] })
    return redirectTo(`/offerings/${id}/hours/dates`, "saved")
  }
})

const loadOfferingWithHours = ({ param, run }: PageContext) =>
  Effect.filterOrFail(
    run(offeringsGet, { id: param("id") }),
    ({ kind }) => kind !== "class",
    () => invalid("This activity uses scheduled departures, not weekly hours.")
  )

const renderEditor = (
  { format, org, rejection, site }: PageContext,
  { id, name }: { readonly id: string; readonly name: string },
  rows: ReadonlyArray<HoursRow>,
  values: Form,
  /** All hours, for the page's list of seasons. */
  hours?: ReadonlyArray<HoursEntryView>
): PageContent => {
  const path = site.link(`/dashboard/offerings/${id}/hours`)
  const { season = yearRoundKey } = values
  const isAllYear = season === yearRoundKey
  const title = isAllYear ? "Weekly hours" : season === newSeason ? "New season" : "Season hours"
  const { field, mistakes } = makeFormState(rejection, labels, values)
  return {
    title,
    lead: (
      <>
        <Link to={`/offerings/${id}`} dir="auto">{name}</Link>
        {` · all times are in ${getZoneCity(org.timezone)} time`}
      </>
    ),
    actions: isAllYear
      ? (
        <>
          <Button to={`/offerings/${id}/hours/dates`}>Single dates</Button>
          <Button icon="plus" to={`/offerings/${id}/hours?season=${newSeason}`}>Add a season</Button>
        </>
      )
      : <Button to={`/offerings/${id}/hours`}>Weekly hours</Button>,
    body: (
      <form class="stack" method="post" action={path}>
        <DefaultButton />
        <FormErrorNote of={mistakes} />
        <HiddenFields values={{ season }} />
        {!isAllYear && (
          <div class="card pad fields">
            <Field {...field("valid_from")} optional="leave empty for no start date" input={{ type: "date" }} />
            <Field {...field("valid_until")} optional="leave empty for no end date" input={{ type: "date" }} />
          </div>
        )}
        <section class="card" id="hours" aria-label="Weekly hours">
          <ul class="rows">
            {listWeekdaysFrom(format.weekBegins).map((weekday) => (
              <Day
                key={weekday}
                weekday={weekday}
                rows={rows.filter((row) => row.weekday === weekday)}
              />
            ))}
          </ul>
        </section>
        <p class="soft small">
          An end time of 12:00 AM means midnight at the end of that day. Bookings outside the new hours are kept.
          {isAllYear
            ? ""
            : " Year-round hours also apply during the season. To delete the season, remove all of its hours."}
        </p>
        <p class="acts">
          <button class="btn main" name="do" value="save">Save</button>
          <Button to={`/offerings/${id}`}>Cancel</Button>
        </p>
        {isAllYear && hours !== undefined && listSeasons(hours).length > 1 && (
          <Card id="seasons" title="Seasons">
            <ul class="rows">
              {listSeasons(hours).filter((one) => one !== yearRoundKey).map((one) => (
                <li key={one}>
                  <b class="grow">{formatSeason(format, one)}</b>
                  <Button to={`/offerings/${id}/hours?season=${one}`} aria-label={`Edit ${formatSeason(format, one)}`}>
                    Edit
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </form>
    )
  }
}

const labels = { hours: "Weekly hours", valid_from: "First date", valid_until: "Last date" }

const Day = ({ rows, weekday }: { readonly weekday: number; readonly rows: ReadonlyArray<HoursRow> }) => {
  const name = usePage().format.weekdays("long")[weekday] ?? ""
  const sectionId = `day-${weekday}`
  return (
    <li id={sectionId} class="day">
      <b class="of">{name}</b>
      <div class="stack tight grow">
        {rows.length === 0 && <span class="soft">Closed</span>}
        {rows.map(({ from, to: until }, at) => (
          <div key={at} class="window">
            <TimeInput name={`from-${weekday}-${at}`} label={`${name} from`} value={from} />
            <span aria-hidden="true">–</span>
            <TimeInput name={`to-${weekday}-${at}`} label={`${name} until`} value={until} />
            <RowButton
              value={`remove-${weekday}-${at}`}
              to={sectionId}
              label={`Remove ${name} hours ${at + 1}`}
              isPlain
            >
              <Icon name="x" />
            </RowButton>
          </div>
        ))}
      </div>
      <div class="acts">
        <RowButton value={`add-${weekday}`} to={sectionId} label={`Add hours on ${name}`}>Add hours</RowButton>
        {rows.length > 0 && (
          <RowButton value={`copy-${weekday}`} to={sectionId} label={`Copy to all days: ${name}`} isPlain>
            Copy to all days
          </RowButton>
        )}
      </div>
    </li>
  )
}

const TimeInput = (
  { label, name, value }: { readonly name: string; readonly label: string; readonly value: string }
) => (
  <input
    class="input"
    type="time"
    name={name}
    aria-label={label}
    value={value}
    // Hours set through the API may include seconds.
    step={value.split(":").length > 2 ? 1 : undefined}
  />
)
