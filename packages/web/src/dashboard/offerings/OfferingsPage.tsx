import { offeringsList } from "@trailbook/core/offering"
import * as Effect from "effect/Effect"
import { Button, Link } from "../kit/elements.tsx"
import { listPage } from "../kit/list.tsx"
import { BookabilityTag, formatUnitPrice, loadBookability, offeringKindTexts } from "./offeringTexts.tsx"

/** Lists all offerings and shows whether guests can book them. */
export const offeringsPage = listPage("/offerings", offeringsList, {
  limit: 20,
  *view(context, { rows }) {
    const { format, isOwner, org, site } = context
    const offerings = yield* Effect.forEach(
      rows,
      (offering) => Effect.map(loadBookability(context, offering), (bookability) => ({ offering, bookability }))
    )
    return {
      title: "Activities",
      lead: "The trips, lessons, and rentals that guests can book.",
      actions: (
        <>
          <a class="btn" href={site.link(`/book/${org.slug}`)}>View booking page</a>
          {isOwner && <Button to="/discounts">Discount codes</Button>}
          <Button icon="plus" look="main" to="/offerings/new">Add an activity</Button>
        </>
      ),
      empty: (
        <>
          No activities yet. Set up your first activity in 2 minutes.{" "}
          <Button look="main" to="/setup">Set up your first activity</Button>
        </>
      ),
      rows: (
        <ul class="rows">
          {offerings.map(({ bookability, offering }) => {
            const renderLink = (path: string, label: string) => (
              <Link to={`/offerings/${offering.id}/${path}`} aria-label={`${label}: ${offering.name}`}>{label}</Link>
            )
            return (
              <li key={offering.id}>
                <div class="grow">
                  <Link class="title" to={`/offerings/${offering.id}`} dir="auto">{offering.name}</Link>
                  <p class="soft small">
                    {`${offeringKindTexts[offering.kind].name} · ${format.length(offering.duration_minutes)} · `}
                    {offering.kind === "class" ? renderLink("sessions", "Dates") : renderLink("hours", "Hours")} ·{" "}
                    {renderLink("photos", "Photos")}
                  </p>
                </div>
                <p class="fact num">{formatUnitPrice(format, offering)}</p>
                <p class="fact num">
                  {bookability.is === "bookable"
                    ? `Next: ${format.moment(bookability.next.starts_at)}`
                    : <span class="soft">No upcoming times</span>}
                </p>
                <p class="state">
                  <BookabilityTag of={bookability} />
                </p>
              </li>
            )
          })}
        </ul>
      )
    }
  }
})
