import { notFound } from "@trailbook/core/Refusal"
import { sessionsCancel, sessionsList } from "@trailbook/core/session/sessionOperations"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/flashMessage.ts"
import { Consequence } from "../kit/page.tsx"
import type { FormAction, PageContext, PageView } from "../Page.ts"
import { affectedChanged, loadAffectedBookings } from "./affectedBookings.ts"
import { AffectedGuests, affectedSummary } from "./AffectedGuests.tsx"
import { loadClass } from "./SessionsPage.tsx"

/** Confirmation page for canceling a departure. */
export const view: PageView = (asked) =>
  Effect.gen(function*() {
    const { refused, shown } = asked
    const { format, site } = shown
    const offering = yield* loadClass(asked)
    const session = yield* sessionOf(asked, refused?.form["at"] ?? asked.query("at"))
    const affected = yield* loadAffectedBookings(asked, { session_id: session.id })
    const path = `/dashboard/offerings/${offering.id}/sessions` as const
    const at = session.starts_at
    return {
      title: "Cancel this departure?",
      part: "offerings",
      isLive: false,
      lead: (
        <>
          <span dir="auto">{offering.name}</span>
          {` · ${format.longDay(at)}, ${format.time(at)} ${format.zone(at)}`}
        </>
      ),
      body: session.status === "cancelled"
        ? (
          <div class="stack form">
            <p class="note">This departure is already canceled.</p>
            <p>
              <a class="btn" href={site.link(path)}>Back to departures</a>
            </p>
          </div>
        )
        : (
          <Consequence
            happens={[
              ...affectedSummary(affected, shown),
              "This cannot be undone. You can add the departure again later."
            ]}
            button="Cancel departure"
            back={`/offerings/${offering.id}/sessions`}
            backLabel="Keep it"
            hidden={{ at, seen: affected.bookings.length }}
          >
            <AffectedGuests affected={affected} shown={shown} />
          </Consequence>
        )
    }
  })

/** Loads the session in the path. Sessions are found by start time, so the form carries it. */
const sessionOf = ({ param, run }: PageContext, at: string | undefined) =>
  Effect.gen(function*() {
    const id = param("session")
    const start = Instant.parse(at ?? "")
    if (start === undefined) return yield* notFound("session", id)
    const { data } = yield* run(sessionsList, {
      offering_id: param("id"),
      from: Instant.format(start),
      to: Instant.format(Instant.make(start + 1)),
      limit: 500
    })
    return data.find((session) => session.id === id) ?? (yield* notFound("session", id))
  })

export const act: FormAction = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const session = yield* sessionOf(asked, form["at"])
    const { bookings } = yield* loadAffectedBookings(asked, { session_id: session.id })
    if (session.status !== "cancelled" && String(bookings.length) !== form["seen"]) {
      return yield* affectedChanged
    }
    yield* run(sessionsCancel, { id: session.id })
    return withFlash(`/dashboard/offerings/${session.offering_id}/sessions`, "date_cancelled")
  })
