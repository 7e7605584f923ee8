import { notFound } from "@trailbook/core"
import { sessionsCancel, sessionsList } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { withFlash } from "../frame/getFlashMessage.ts"
import { confirmPage } from "../kit/page.tsx"
import type { PageContext } from "../Page.ts"
import { AffectedGuests, changedBookingsRefusal, loadAffectedBookings, loadAffectedSummary } from "./AffectedGuests.tsx"
import { loadClassOffering } from "./SessionsPage.tsx"

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
        ...yield* loadAffectedSummary(context, affected),
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
    return withFlash(`/dashboard/offerings/${session.offering_id}/sessions`, "date_cancelled")
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
