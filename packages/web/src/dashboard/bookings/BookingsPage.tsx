import { bookingsList } from "@trailbook/core/booking/bookingOperations"
import type { BookingView } from "@trailbook/core/booking/BookingView"
import { offeringsList } from "@trailbook/core/offering/offeringOperations"
import * as Effect from "effect/Effect"
import { Field } from "../../ui/Field.tsx"
import { href } from "../../ui/href.ts"
import { Button, Empty, Icon, Link, Pager, Select, Table } from "../kit/elements.tsx"
import type { DashboardContext, PageView } from "../Page.ts"
import { type BookingFilter, parseFilter, toListInput, toQuery } from "./BookingFilter.ts"
import { guestName, partyText, paymentText, StatusTag } from "./facts.tsx"

const perPage = 50

/** All bookings, filtered by text, status, offering, and dates. */
export const view: PageView = ({ clock: { stamp: now }, query, run, shown }) =>
  Effect.gen(function*() {
    const filter = parseFilter(query)
    const cursor = query("after")
    const asked = toListInput(filter, shown.org.timezone)
    const listed = yield* run(bookingsList, { ...asked, limit: perPage, ...(cursor === undefined ? {} : { cursor }) })
    const offerings = yield* run(offeringsList, { limit: 500 })
    const isFiltered = Object.entries(toQuery(filter)).some(([name, value]) => name !== "order" && value !== undefined)
    const after = listed.next_cursor
    const link = (more: { readonly after?: string }) =>
      href(shown, "/dashboard/bookings", { ...toQuery(filter), ...more })
    return {
      title: "Bookings",
      part: "bookings",
      lead: filter.q === undefined ? undefined : (
        <>
          Found by “<span dir="auto">{filter.q}</span>”
        </>
      ),
      body: (
        <section class="card" aria-label="Bookings">
          <Filters shown={shown} filter={filter} offerings={offerings.data} isFiltered={isFiltered} />
          {listed.data.length === 0
            ? <Nothing shown={shown} isFiltered={isFiltered || cursor !== undefined} />
            : <BookingsTable shown={shown} now={now} bookings={listed.data} />}
          <Pager
            label="Pages"
            back={cursor !== undefined && ["First page", link({})]}
            more={after !== undefined && [
              <>
                Next page
                <Icon name="chevron-right" />
              </>,
              link({ after })
            ]}
          />
        </section>
      )
    }
  })

const Filters = ({ filter, isFiltered, offerings, shown: { site } }: {
  readonly shown: DashboardContext
  readonly filter: BookingFilter
  readonly isFiltered: boolean
  readonly offerings: ReadonlyArray<{ readonly id: string; readonly name: string }>
}) => (
  <form class="pad stack filtering" action={site.link("/dashboard/bookings")}>
    {filter.customer !== undefined && <input type="hidden" name="guest" value={filter.customer} />}
    <div class="filters">
      <Field
        name="q"
        label="Search"
        value={filter.q}
        input={{ type: "search", maxLength: 100, required: false, placeholder: "Name, email, phone, or reference" }}
      />
      <div class="acts">
        <button class="btn main">Show</button>
        {isFiltered && <Button to="/bookings">Show all</Button>}
      </div>
    </div>
    <details open={isNarrowed(filter)}>
      <summary>Status, activity, dates, and order</summary>
      <div class="filters">
        <Select
          name="status"
          label="State"
          value={filter.status}
          options={[["", "Any"], ["confirmed", "Confirmed"], ["held", "Held"], ["cancelled", "Canceled"]]}
        />
        <Select
          name="offering"
          label="Activity"
          value={filter.offering}
          options={[["", "Any"], ...offerings.map(({ id, name }) => [id, name] as const)]}
        />
        <Field name="from" label="Starts from" value={filter.from} input={{ type: "date", required: false }} />
        <Field name="to" label="Starts by" value={filter.to} input={{ type: "date", required: false }} />
        <Select
          name="order"
          label="Order"
          value={filter.order}
          options={[["desc", "Latest start first"], ["asc", "Earliest start first"]]}
        />
      </div>
    </details>
  </form>
)

const isNarrowed = ({ from, offering, order, status, to }: BookingFilter): boolean =>
  order === "asc" || [from, offering, status, to].some((one) => one !== undefined)

const Nothing = (
  { isFiltered, shown: { org, site } }: { readonly shown: DashboardContext; readonly isFiltered: boolean }
) =>
  isFiltered
    ? <Empty>No bookings match. Try fewer words, or another status or date.</Empty>
    : (
      <Empty>
        No bookings yet. <Link to="/bookings/new">Create one</Link>, or share{" "}
        <a href={site.link(`/book/${org.slug}`)}>your booking page</a> with guests.
      </Empty>
    )

export const BookingsTable = ({ bookings, label = "Bookings found", now, shown: { format } }: {
  readonly shown: Pick<DashboardContext, "format">
  readonly now: string
  readonly bookings: ReadonlyArray<BookingView>
  readonly label?: string
}) => (
  <Table
    label={`${label}, as a table`}
    kind="stacked"
    heads={["Guest", "State", "Starts", "Activity", "Party", "Money"]}
  >
    {bookings.map((booking) => (
      <tr key={booking.id}>
        <td class="named">
          <Link class="clip" to={`/bookings/${booking.id}`} dir="auto">
            <b>{guestName(booking.customer)}</b>
          </Link>
          <code>{booking.reference}</code>
        </td>
        <td>
          <StatusTag booking={booking} now={now} />
        </td>
        <td class="num">{`${format.day(booking.starts_at)}, ${format.time(booking.starts_at)}`}</td>
        <td class="named" dir="auto">{booking.offering.name}</td>
        <td class="num">{partyText(format, booking.offering.kind, booking.quantity)}</td>
        <td class="num">{paymentText(format, booking)}</td>
      </tr>
    ))}
  </Table>
)

/** Display names of the booking sources. */
export const sources: Readonly<Record<BookingView["source"], string>> = {
  dashboard: "your team",
  api: "an API client",
  mcp: "an assistant",
  widget: "the guest"
}
