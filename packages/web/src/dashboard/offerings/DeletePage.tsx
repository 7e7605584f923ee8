import { offeringsDelete, offeringsGet } from "@trailbook/core/offering/offeringOperations"
import { sessionsList } from "@trailbook/core/session/sessionOperations"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { Link } from "../kit/elements.tsx"
import { Consequence } from "../kit/page.tsx"
import type { FormAction, PageView } from "../Page.ts"
import { affectedChanged, loadAffectedBookings } from "./affectedBookings.ts"
import { AffectedGuests, affectedSummary, formatCount } from "./AffectedGuests.tsx"

const sessionsLooked = 500

/** Confirmation page for deleting an offering, with the bookings that would be canceled. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { clock, param, run, shown } = asked
    const offering = yield* run(offeringsGet, { id: param("id") })
    const { id, kind, name } = offering
    const affected = yield* loadAffectedBookings(asked, { offering_id: id })
    const coming = kind === "class"
      ? yield* run(sessionsList, {
        offering_id: id,
        from: clock.stamp,
        status: "scheduled",
        limit: sessionsLooked
      })
      : { data: [] }
    return {
      title: "Delete this activity?",
      part: "offerings",
      isLive: false,
      lead: <span dir="auto">{name}</span>,
      body: (
        <Consequence
          happens={[
            ...affectedSummary(affected, shown),
            ...coming.data.length === 0 ? [] : [
              (coming.next_cursor === undefined ? "" : "More than ") +
              formatCount(coming.data.length, "upcoming departure") +
              " " +
              (coming.data.length === 1 ? "is canceled." : "are canceled.")
            ],
            "It is removed from your booking page permanently. Past bookings are kept."
          ]}
          button={affected.bookings.length === 0 ? "Delete activity" : "Cancel bookings and delete activity"}
          back={`/offerings/${id}`}
          backLabel="Keep it"
          hidden={{ seen: affected.bookings.length }}
        >
          <p>
            To stop bookings temporarily, <Link to={`/offerings/${id}`}>pause it</Link>{" "}
            instead. No bookings are canceled then.
          </p>
          <AffectedGuests affected={affected} shown={shown} />
        </Consequence>
      )
    }
  })

export const act: FormAction = (asked) =>
  Effect.gen(function*() {
    const { form, param, run } = asked
    const { id } = yield* run(offeringsGet, { id: param("id") })
    const { bookings } = yield* loadAffectedBookings(asked, { offering_id: id })
    if (String(bookings.length) !== form["seen"]) return yield* affectedChanged
    // Cancel bookings only if the page listed some. Otherwise a booking made in the meantime would be canceled unseen.
    const { pending } = yield* run(offeringsDelete, { id, cancel_bookings: bookings.length > 0 })
    return withFlash("/dashboard/offerings", pending > 0 ? "offering_deleting" : "offering_deleted")
  })
