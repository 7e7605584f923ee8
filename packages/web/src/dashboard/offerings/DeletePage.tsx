import { offeringsDelete, offeringsGet } from "@trailbook/core/operation/offeringOperations"
import { sessionsList } from "@trailbook/core/operation/sessionOperations"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { Hidden } from "../../ui/Field.tsx"
import { saying } from "../frame/said.ts"
import { MistakesNote, mistakesOf } from "../parts/Mistakes.tsx"
import type { Act, View } from "../View.ts"
import { affectedBy, changedMeanwhile } from "./affected.ts"
import { Consequences, counted } from "./Consequences.tsx"

const sessionsLooked = 500

/**
 * What the end of an offering would cancel, before it is done.
 *
 * @category views
 */
export const view: View = (asked) =>
  Effect.gen(function*() {
    const { param, refused, run, shown: { site } } = asked
    const offering = yield* run(offeringsGet, { id: param("id") })
    const { id, kind, name } = offering
    const affected = yield* affectedBy(asked, { offering_id: id })
    const coming = kind === "class"
      ? yield* run(sessionsList, {
        offering_id: id,
        from: Instant.format(yield* moment),
        status: "scheduled",
        limit: sessionsLooked
      })
      : { data: [] }
    return {
      title: "Delete this offering?",
      part: "offerings",
      isLive: false,
      lead: <span dir="auto">{name}</span>,
      body: (
        <div class="card pad stack form">
          <MistakesNote of={mistakesOf(refused, {})} />
          <Consequences affected={affected} shown={asked.shown} />
          {coming.data.length > 0 && (
            <p>
              {`${coming.next_cursor === undefined ? "" : "More than "}${counted(coming.data.length, "date")} to come `}
              {`${coming.data.length === 1 ? "is" : "are"} cancelled.`}
            </p>
          )}
          <p>
            Bookings that are over stay on record. It cannot be undone. If guests are only not to book it for a while,
            pause it instead: then nothing is cancelled.
          </p>
          <form class="acts" method="post" action={site.link(`/dashboard/offerings/${id}/delete`)} data-once="">
            <Hidden values={{ seen: affected.bookings.length }} />
            <button class="btn danger">
              {affected.bookings.length === 0 ? "Yes, delete it" : "Yes, cancel them and delete it"}
            </button>
            <a class="btn" href={site.link(`/dashboard/offerings/${id}`)}>Keep it</a>
          </form>
        </div>
      )
    }
  })

export const act: Act = (asked) =>
  Effect.gen(function*() {
    const { form, param, run } = asked
    const { id } = yield* run(offeringsGet, { id: param("id") })
    const { bookings } = yield* affectedBy(asked, { offering_id: id })
    if (String(bookings.length) !== form["seen"]) return yield* changedMeanwhile
    // Whoever read that nobody has booked does not cancel whoever books in this moment.
    const { pending } = yield* run(offeringsDelete, { id, cancel_bookings: bookings.length > 0 })
    return saying("/dashboard/offerings", pending > 0 ? "offering_deleting" : "offering_deleted")
  })
