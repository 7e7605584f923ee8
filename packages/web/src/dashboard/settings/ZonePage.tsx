import { bookingsList } from "@trailbook/core/booking/bookingOperations"
import { orgUpdate } from "@trailbook/core/org/orgOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as Format from "../../text/Format.ts"
import { withFlash } from "../frame/flashMessage.ts"
import type { DashboardPage, FormAction, PageContext, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { momentText } from "../parts/moments.ts"
import { Select } from "../parts/Select.tsx"

/** Changes the time zone of hours and dates, after a confirmation. */
export const view: PageView = ({ refused, shown: { org, site } }) => {
  const { field, mistakes } = makeForm(refused, { timezone: "Time zone" }, { timezone: org.timezone })
  return Effect.succeed({
    title: "Change the time zone",
    part: "settings",
    isLive: false,
    lead: `Now ${org.timezone}.`,
    body: (
      <form class="card pad stack form" method="post" action={site.link("/dashboard/settings/zone")}>
        <FormErrorNote of={mistakes} />
        <Select
          {...field("timezone")}
          hint="The time zone of your trips. You can review the effects before anything changes."
          options={zonesWith(org.timezone).map((zone) => [zone, zone.replaceAll("_", " ")])}
        />
        <FormButtons site={site} confirm="Review change" back="/dashboard/settings" backLabel="Cancel" />
      </form>
    )
  })
}

/** Time zones of the runtime, and the current one, which can be an alias. */
const zonesWith = (zone: string): ReadonlyArray<string> =>
  [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", zone])].toSorted()

/** Example times in both time zones. */
const consequence = (asked: PageContext, timezone: string) =>
  Effect.gen(function*() {
    const { clock: { stamp: now }, run, shown: { format, org, reader } } = asked
    const { data: [next] } = yield* run(bookingsList, { from: now, status: "confirmed", limit: 1 })
    const there = {
      city: Format.zoneCity(timezone),
      format: Format.make(reader, { currency: org.currency, timezone })
    }
    const page: DashboardPage = {
      title: `Change the time zone to ${timezone}?`,
      part: "settings",
      body: (
        <Consequence
          asked={asked}
          to="/dashboard/settings/zone"
          happens={[
            <>
              <b>Weekly hours keep their clock times.</b>
              {` An opening time of 9:00 becomes 9:00 in ${there.city}.`}
            </>,
            <>
              <b>Bookings and scheduled departures keep their exact time.</b>
              {` You and your guests see them in ${there.city} time. `}
              {next === undefined
                ? `The current time, ${momentText(format, now)}, would be shown as ${momentText(there.format, now)}.`
                : `The next booking, ${momentText(format, next.starts_at)}, would be shown as ${
                  momentText(there.format, next.starts_at)
                }.`}
            </>,
            "No email is sent. Earlier emails show the old times, so notify affected guests yourself.",
            "The morning brief and quiet hours use the new time zone."
          ]}
          confirm="Change the time zone"
          back="/dashboard/settings"
          backLabel={`Keep ${org.timezone}`}
          hidden={{ timezone, sure: "yes" }}
          isGrave={false}
        />
      )
    }
    return page
  })

export const act: FormAction = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const timezone = Zone.find(form["timezone"] ?? "")?.name
    if (timezone === undefined) return yield* invalid("timezone: must be a time zone from the list")
    if (form["sure"] !== "yes") return yield* consequence(asked, timezone)
    yield* run(orgUpdate, { timezone })
    return withFlash("/dashboard/settings", "saved")
  })
