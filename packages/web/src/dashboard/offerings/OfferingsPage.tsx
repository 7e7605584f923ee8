import { offeringsList } from "@trailbook/core/offering/offeringOperations"
import type { OfferingView } from "@trailbook/core/offering/OfferingView"
import * as Effect from "effect/Effect"
import type { DashboardContext, PageView } from "../Page.ts"
import { IconLink } from "../parts/Icon.tsx"
import { Pager } from "../parts/Pager.tsx"
import { type Bookability, BookabilityTag, toBookability } from "./bookability.tsx"
import { kinds } from "./kinds.ts"
import { priceText } from "./priceText.ts"

const atOnce = 20

/** All offerings, and whether guests can book them. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { query, run, shown } = asked
    const { org, site } = shown
    const cursor = query("cursor")
    const { data, next_cursor } = yield* run(offeringsList, {
      limit: atOnce,
      ...(cursor === undefined ? {} : { cursor })
    })
    const rows = yield* Effect.forEach(data, (offering) =>
      Effect.map(toBookability(asked, offering), (standing) => ({ offering, standing })))
    return {
      title: "Activities",
      part: "offerings",
      lead: "What guests can book.",
      actions: (
        <>
          <a class="btn" href={site.link(`/book/${org.slug}`)}>View booking page</a>
          <IconLink site={site} icon="plus" href={site.link("/dashboard/offerings/new")} isMain>
            Add an activity
          </IconLink>
        </>
      ),
      body: (
        <section class="card" aria-label="Activities">
          {rows.length === 0 && (
            <div class="pad stack">
              <p>No activities yet. Set up your first one in two minutes.</p>
              <p>
                <a class="btn main" href={site.link("/dashboard/setup")}>Set up your first activity</a>
              </p>
            </div>
          )}
          <ul class="rows">
            {rows.map(({ offering, standing }) => (
              <Row key={offering.id} offering={offering} standing={standing} shown={shown} />
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
  })

const Row = (
  { offering, shown, standing }: {
    readonly offering: OfferingView
    readonly standing: Bookability
    readonly shown: DashboardContext
  }
) => {
  const { format, site } = shown
  return (
    <li>
      <div class="grow">
        <a class="title" href={site.link(`/dashboard/offerings/${offering.id}`)} dir="auto">{offering.name}</a>
        <p class="soft small">{`${kinds[offering.kind].name} · ${format.length(offering.duration_minutes)}`}</p>
      </div>
      <p class="fact num">{priceText(format, offering)}</p>
      <p class="fact num">
        {standing.is === "bookable"
          ? `Next: ${format.day(standing.next.starts_at)}, ${format.time(standing.next.starts_at)}`
          : <span class="soft">No upcoming start</span>}
      </p>
      <p class="state">
        <BookabilityTag of={standing} />
      </p>
    </li>
  )
}
