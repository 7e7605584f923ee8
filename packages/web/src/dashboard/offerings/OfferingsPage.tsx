import { offeringsList } from "@trailbook/core/offering/offeringOperations"
import type { OfferingView } from "@trailbook/core/offering/OfferingView"
import * as Effect from "effect/Effect"
import { Button, Link, Pager } from "../kit/elements.tsx"
import { page } from "../kit/page.tsx"
import { usePage } from "../Page.ts"
import { type Bookability, BookabilityTag, toBookability } from "./bookability.tsx"
import { kinds } from "./kinds.ts"
import { priceText } from "./priceText.ts"

const atOnce = 20

/** Lists all offerings, and shows whether guests can book them. */
export const offerings = page("/offerings", {
  *view(context) {
    const { isOwner, org, query, run, site } = context
    const cursor = query("cursor")
    const { data, next_cursor } = yield* run(offeringsList, {
      limit: atOnce,
      ...(cursor === undefined ? {} : { cursor })
    })
    const rows = yield* Effect.forEach(
      data,
      (offering) => Effect.map(toBookability(context, offering), (bookability) => ({ offering, bookability }))
    )
    return {
      title: "Activities",
      lead: "The trips, lessons, and rentals that guests can book.",
      actions: (
        <>
          <a class="btn" href={site.link(`/book/${org.slug}`)}>View booking page</a>
          {isOwner && <Button to="/discounts">Discount codes</Button>}
          <Button icon="plus" look="main" to="/offerings/new">
            Add an activity
          </Button>
        </>
      ),
      body: (
        <section class="card" aria-label="Activities">
          {rows.length === 0 && (
            <div class="pad stack">
              <p>No activities yet. Set up your first activity in 2 minutes.</p>
              <p>
                <Button look="main" to="/setup">Set up your first activity</Button>
              </p>
            </div>
          )}
          <ul class="rows">
            {rows.map(({ offering, bookability }) => (
              <Row key={offering.id} offering={offering} bookability={bookability} />
            ))}
          </ul>
          <Pager
            label="Pages"
            back={cursor !== undefined && ["First page", "?"]}
            more={next_cursor !== undefined && ["Next", `?${new URLSearchParams({ cursor: next_cursor })}`]}
          />
        </section>
      )
    }
  }
})

const Row = ({ offering, bookability }: { readonly offering: OfferingView; readonly bookability: Bookability }) => {
  const { format } = usePage()
  const to = (path: string, label: string) => (
    <Link to={`/offerings/${offering.id}/${path}`} aria-label={`${label}: ${offering.name}`}>{label}</Link>
  )
  return (
    <li>
      <div class="grow">
        <Link class="title" to={`/offerings/${offering.id}`} dir="auto">{offering.name}</Link>
        <p class="soft small">
          {`${kinds[offering.kind].name} · ${format.length(offering.duration_minutes)} · `}
          {offering.kind === "class" ? to("sessions", "Dates") : to("hours", "Hours")} · {to("photos", "Photos")}
        </p>
      </div>
      <p class="fact num">{priceText(format, offering)}</p>
      <p class="fact num">
        {bookability.is === "bookable"
          ? `Next: ${format.day(bookability.next.starts_at)}, ${format.time(bookability.next.starts_at)}`
          : <span class="soft">No upcoming times</span>}
      </p>
      <p class="state">
        <BookabilityTag of={bookability} />
      </p>
    </li>
  )
}
