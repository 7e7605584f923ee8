import { bookingsList } from "@trailbook/core/operation/bookingOperations"
import { orgUpdate } from "@trailbook/core/operation/orgOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Zone from "@trailbook/core/time/Zone"
import * as Effect from "effect/Effect"
import * as Formats from "../../text/Format.ts"
import { saying } from "../frame/said.ts"
import { Acts } from "../parts/Acts.tsx"
import { Consequence } from "../parts/Consequence.tsx"
import { formOf, MistakesNote } from "../parts/Mistakes.tsx"
import { momentOf } from "../parts/moments.ts"
import { Select } from "../parts/Select.tsx"
import type { Act, DeskAsked, DeskPage, View } from "../View.ts"

/**
 * The zone of an outfitter's hours and dates: what a change means is said before it is made.
 *
 * @category views
 */
export const view: View = ({ refused, shown: { org, site } }) => {
  const { field, mistakes } = formOf(refused, { timezone: "Time zone" }, { timezone: org.timezone })
  return Effect.succeed({
    title: "Change the time zone",
    part: "settings",
    isLive: false,
    lead: `Now ${org.timezone}.`,
    body: (
      <form class="card pad stack form" method="post" action={site.link("/dashboard/settings/zone")}>
        <MistakesNote of={mistakes} />
        <Select
          {...field("timezone")}
          hint="Where your trips are. Nothing is changed yet: first you see what it means."
          options={zonesWith(org.timezone).map((zone) => [zone, zone.replaceAll("_", " ")])}
        />
        <Acts site={site} confirm="See what it means" back="/dashboard/settings" backLabel="Cancel" />
      </form>
    )
  })
}

/** Those that the runtime names, and the present one: it may have another name for the same. */
const zonesWith = (zone: string): ReadonlyArray<string> =>
  [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", zone])].toSorted()

/** The same moments, as the clocks of both places show them. */
const consequence = (asked: DeskAsked, timezone: string) =>
  Effect.gen(function*() {
    const { clock: { stamp: now }, run, shown: { format, org, reader } } = asked
    const { data: [next] } = yield* run(bookingsList, { from: now, status: "confirmed", limit: 1 })
    const there = {
      city: Formats.cityOf(timezone),
      format: Formats.make(reader, { currency: org.currency, timezone })
    }
    const page: DeskPage = {
      title: `Change the time zone to ${timezone}?`,
      part: "settings",
      body: (
        <Consequence
          asked={asked}
          to="/dashboard/settings/zone"
          happens={[
            <>
              <b>Weekly hours keep their numbers.</b>
              {` Open at 9:00 is 9:00 in ${there.city} from now on. That is another moment than before.`}
            </>,
            <>
              <b>Bookings and dates of classes keep their moment.</b>
              {` They are shown by the clocks of ${there.city}, also to guests. `}
              {next === undefined
                ? `It is ${momentOf(format, now)} now, and would be ${momentOf(there.format, now)}.`
                : `The next booking, ${momentOf(format, next.starts_at)}, would read ${
                  momentOf(there.format, next.starts_at)
                }.`}
            </>,
            "Nobody is written to. If guests have times in their mail that read otherwise now, tell them yourself.",
            "The morning brief and quiet hours follow the new clocks, too."
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

export const act: Act = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const timezone = Zone.find(form["timezone"] ?? "")?.name
    if (timezone === undefined) return yield* invalid("timezone: must be one of the list")
    if (form["sure"] !== "yes") return yield* consequence(asked, timezone)
    yield* run(orgUpdate, { timezone })
    return saying("/dashboard/settings", "saved")
  })
