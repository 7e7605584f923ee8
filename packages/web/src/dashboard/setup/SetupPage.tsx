import { invalid } from "@trailbook/core"
import { offeringsCreate, offeringsGet, offeringsSetHours } from "@trailbook/core/offering"
import { sessionsCreate } from "@trailbook/core/session"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as LocalTime from "@trailbook/core/time/LocalTime"
import * as Zone from "@trailbook/core/time/Zone"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { getPublicUrl } from "../../Site.ts"
import { Icon, Link } from "../kit/elements.tsx"
import { page, redirectTo, usePage } from "../kit/page.tsx"
import { parseHours, parseWeekdays } from "../offerings/hours.tsx"
import { isOfferingKind } from "../offerings/offeringTexts.tsx"
import { parseAmountField, readInteger, readMinutes } from "../parts/numberFields.ts"
import { ActivityStep, loadSetupProgress, ScheduleStep } from "./setupSteps.tsx"

/** Guided setup for the first offering: activity, schedule, and a preview of the booking page. */
export const setupPage = page("/setup", {
  *view(context) {
    const progress = yield* loadSetupProgress(context)
    const isBookable = progress?.bookability.is === "bookable"
    return {
      title: isBookable ? "Guests can book now" : "Set up your first activity",
      lead: isBookable
        ? "Your booking page is ready. You can change everything later."
        : "Three short steps. You can finish later.",
      body: (
        <ol class="stack form steps">
          <Step at={1} title="Your activity" state={progress === undefined ? "now" : "done"}>
            <ActivityStep begun={progress} />
          </Step>
          <Step
            at={2}
            title="Your schedule"
            state={progress === undefined ? "later" : isBookable ? "done" : "now"}
          >
            {progress === undefined
              ? <p class="soft">Weekly hours or scheduled departures.</p>
              : <ScheduleStep begun={progress} />}
          </Step>
          <Step at={3} title="Your booking page" state={isBookable ? "now" : "later"}>
            <BookingPageStep isBookable={isBookable} offeringId={progress?.offering.id} />
          </Step>
        </ol>
      )
    }
  },
  *submit({ form, format, org, run }) {
    const offering = form["offering"] ?? ""
    switch (form["step"]) {
      case "what": {
        const kind = form["kind"]
        if (!isOfferingKind(kind)) return yield* invalid("Choose a booking type.")
        const offering = yield* run(offeringsCreate, {
          kind,
          name: form["name"] ?? "",
          price_cents: yield* parseAmountField(form, "price", org.currency),
          duration_minutes: yield* readMinutes(form, "duration"),
          idempotency_key: form["key"] ?? ""
        })
        return redirectTo(`/setup?offering=${offering.id}`)
      }
      case "dates": {
        const { starts_at, weeks } = yield* parseStart(form, org.timezone)
        yield* run(sessionsCreate, {
          offering_id: offering,
          starts_at,
          repeat_weeks: weeks,
          idempotency_key: form["key"] ?? ""
        })
        return redirectTo(`/setup?offering=${encodeURIComponent(offering)}`)
      }
      case "hours": {
        const { id } = yield* run(offeringsGet, { id: offering })
        const days = parseWeekdays(form)
        if (days.length === 0) return yield* invalid("Choose at least one day.")
        const rows = days.map((weekday) => ({ weekday, from: form["from"] ?? "", to: form["to"] ?? "" }))
        yield* run(offeringsSetHours, { id, hours: yield* parseHours(rows, format.weekdays("long")) })
        return redirectTo(`/setup?offering=${id}`)
      }
      default:
        return yield* invalid("Not saved. Submit one of the forms on this page.")
    }
  }
})

/** Parses the first start time, in local time, and the number of weeks. */
const parseStart = (form: Typed, timezone: string) =>
  Effect.gen(function*() {
    const date = LocalDate.parse(form["date"] ?? "")
    if (date === undefined) return yield* invalid("date: must be a date such as 2027-05-01")
    const time = LocalTime.parse(form["time"] ?? "")
    if (time === undefined) return yield* invalid("time: must be a time such as 09:00")
    const weeks = yield* readInteger(form, "weeks")
    if (weeks < 1 || weeks > 52) return yield* invalid("weeks: must be 1 to 52")
    return { starts_at: Instant.format(Zone.get(timezone).instantAt(date, time)), weeks }
  })

const Step = (
  { at, children, state, title }: {
    readonly at: number
    readonly title: string
    readonly state: "done" | "now" | "later"
    readonly children: ComponentChildren
  }
) => (
  <li class="card" aria-current={state === "now" ? "step" : undefined}>
    <header>
      <span class={state === "done" ? "who on" : "who"} aria-hidden="true">
        {state === "done" ? <Icon name="check" /> : at}
      </span>
      <h2>
        {title}
        {state === "done" && <span class="sr">(done)</span>}
      </h2>
    </header>
    <div class="pad stack">{children}</div>
  </li>
)

/** A link to the booking page, and recommended next steps. */
const BookingPageStep = ({ isBookable, offeringId }: {
  readonly isBookable: boolean
  readonly offeringId: string | undefined
}) => {
  const context = usePage()
  const { isOwner, org, site } = context
  const path = `/book/${org.slug}` as const
  if (!isBookable || offeringId === undefined) {
    return (
      <p class="soft">
        Booking page address <span dir="ltr">{getPublicUrl(context, path)}</span>
      </p>
    )
  }
  return (
    <>
      <p>
        Share this address with your guests: <a href={site.link(path)} dir="ltr">{getPublicUrl(context, path)}</a>
      </p>
      <p class="acts">
        <a class="btn main" href={site.link(`${path}/${offeringId}`)}>View booking page</a>
        {site.isWidget && <a class="btn" href={site.link(`/widget/${org.slug}`)}>Add to your website</a>}
      </p>
      <h3>Optional next steps</h3>
      <ul class="points">
        {isOwner && (
          <>
            <li>
              <Link to="/payments">Take payments</Link>: until then, guests pay on arrival.
            </li>
            <li>
              <Link to="/team">Invite your team</Link>. Each member gets a sign-in link by email.
            </li>
            <li>
              <Link to="/settings">Color, logo, and replies</Link>: customize your pages and automatic replies.
            </li>
          </>
        )}
        <li>
          <Link to="/offerings/new">Add another activity</Link>
        </li>
      </ul>
    </>
  )
}
