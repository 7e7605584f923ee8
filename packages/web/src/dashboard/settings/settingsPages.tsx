/** The org's settings. Each group has its own Save button. */
import { invalid } from "@trailbook/core"
import { bookingsList } from "@trailbook/core/booking"
import { currencies } from "@trailbook/core/money"
import { offeringsList } from "@trailbook/core/offering"
import { getDefaultUnits, orgUpdate, unitSystems } from "@trailbook/core/org"
import * as Zone from "@trailbook/core/time/Zone"
import { getPublicUrl } from "../../Site.ts"
import { defaultAccent } from "../../style/theme.ts"
import * as Format from "../../text/Format.ts"
import { isUploadedImage } from "../../ui/href.ts"
import { Checkbox, FactList, Link } from "../kit/elements.tsx"
import type { FieldChoices } from "../kit/fields.tsx"
import { Form, formPage, makeOperationForm } from "../kit/operationForm.tsx"
import { page, type PageContext, redirectTo, toConfirmationPage } from "../kit/page.tsx"
import { ImageForms } from "./images.tsx"

const access = "admin"

const unitNames = { us: "US (mph, °F, inches)", metric: "Metric (km/h, °C, mm)" } as const

const hourOptions = ({ format }: PageContext): FieldChoices =>
  Array.from({ length: 24 }, (_, hour) => [String(hour), format.wall(`${String(hour).padStart(2, "0")}:00`)])

const quietHourOptions = (context: PageContext): FieldChoices => [["", "No quiet hours"], ...hourOptions(context)]

const groups = {
  name: makeOperationForm(orgUpdate, {
    name: "Name",
    phone: { label: "Phone", hint: "Shown to guests." },
    units: {
      label: "Units",
      hint: "Used for weather and river data in settings, proposals, and email.",
      options: ({ org }: PageContext): FieldChoices => [
        ["", `Default for the time zone: ${unitNames[getDefaultUnits(org.timezone)]}`],
        ...unitSystems.map((units) => [units, unitNames[units]] as const)
      ]
    }
  }, { group: "name" }),
  page: makeOperationForm(orgUpdate, {
    accent: "Color",
    logo_url: { label: "Logo", hint: "The https address of a square picture." },
    cover_url: { label: "Cover", hint: "The https address of a wide picture." }
  }, { group: "page" }),
  replies: makeOperationForm(orgUpdate, {
    reply_window: { label: "Reply time", hint: "When guests can expect a reply, for example: within a day." },
    auto_ack: {
      label: "Send an automatic acknowledgment",
      hint: "Sent at most once a day per guest, with your reply time and away notice."
    },
    away_notice: { label: "Away notice", hint: "Shown on your booking page. Leave empty to show no notice.", rows: 3 },
    review_url: {
      label: "Review link",
      hint: "Your review page, for example on Google. Saved replies can include this link."
    }
  }, { group: "replies" }),
  guests: makeOperationForm(orgUpdate, {
    guest_changes_hours: {
      label: "Change deadline (hours before start)",
      optional: "leave empty if guests must contact you",
      hint: "Guests can move or cancel their booking until this many hours before the start. Refunds follow your " +
        "cancellation policy."
    },
    confirm_email: {
      label: "Confirm email addresses",
      hint: "A booking is held for 30 minutes and confirmed when the guest opens a link in their email."
    }
  }, { group: "guests" }),
  staff: makeOperationForm(orgUpdate, {
    staff_may_refund: {
      label: "Let staff refund payments",
      hint: "If checked, staff can also void desk payments and cancel bookings without a refund."
    }
  }, { group: "staff" }),
  limits: makeOperationForm(orgUpdate, {
    brief_hour: { label: "Morning brief", hint: "The hour when the morning brief is sent.", options: hourOptions },
    ops_daily_cap: {
      label: "Maximum automatic actions in 24 hours",
      hint: "From 1 to 500. Further actions need your approval."
    },
    quiet_from: {
      label: "Quiet hours start",
      hint: "Automatic messages to guests stop at this time.",
      options: quietHourOptions
    },
    quiet_to: { label: "Quiet hours end", hint: "Automatic messages resume at this time.", options: quietHourOptions },
    refund_ceiling_cents: {
      label: "Maximum automatic refund",
      name: "refund_ceiling",
      optional: "leave empty for no automatic refunds",
      hint: ({ org }: PageContext) => `In ${org.currency.toUpperCase()}. Larger refunds need your approval.`
    }
  }, { group: "limits" })
} as const

export const settingsPage = page("/settings", {
  access,
  view(context) {
    const { org, site } = context
    const values = { ...org, accent: org.accent ?? defaultAccent }
    return {
      title: "Settings",
      body: (
        <div class="stack form">
          <Form of={groups.name} title="Business" values={values} button="Save">
            {(fields) => (
              <>
                {fields("name", "phone")}
                <FactList
                  class="what"
                  of={{
                    "Time zone": (
                      <>
                        {`${Format.getZoneCity(org.timezone)} (${org.timezone}) `}
                        <Link to="/settings/zone">Change the time zone</Link>
                      </>
                    ),
                    Currency: (
                      <>
                        {`${org.currency.toUpperCase()} `}
                        <Link to="/settings/currency">Change the currency</Link>
                      </>
                    )
                  }}
                />
                {fields("units")}
              </>
            )}
          </Form>
          <Form of={groups.page} title="Booking page" values={values} button="Save">
            {(fields, { typedValues }) => (
              <>
                <p>
                  Booking page address{" "}
                  <a href={site.link(`/book/${org.slug}`)} dir="ltr">{getPublicUrl(context, `/book/${org.slug}`)}</a>
                  {site.isWidget && (
                    <>
                      {" · "}
                      <a href={site.link(`/widget/${org.slug}`)}>Add to your website</a>
                    </>
                  )}
                </p>
                {fields("accent")}
                {org.accent !== null && (
                  <Checkbox name="plain" label="Use the default green" checked={typedValues["plain"] === "on"} />
                )}
                {(["logo_url", "cover_url"] as const).map((name) =>
                  // An uploaded image has no URL to edit.
                  isUploadedImage(org[name]) ? null : fields(name)
                )}
              </>
            )}
          </Form>
          <ImageForms />
          <Form of={groups.replies} title="Replies" values={values} button="Save" />
          <Form of={groups.guests} title="Guest bookings" values={values} button="Save">
            {(fields) => (
              <>
                {fields()}
                <p>
                  <Link to="/settings/fees">Fees and taxes</Link> ·{"  "}
                  <Link to="/settings/cancellation">Cancellation policy</Link>
                </p>
              </>
            )}
          </Form>
          <Form of={groups.staff} title="Team" values={values} button="Save" />
          <Form of={groups.limits} title="Automation limits" values={values} button="Save">
            {(fields) => <div class="fields">{fields()}</div>}
          </Form>
        </div>
      )
    }
  },
  *submit(context) {
    const { form, run } = context
    const group = Object.values(groups).find((one) => one.group === form["group"])
    if (group === undefined) return yield* invalid("Not saved. Submit one of the forms on this page.")
    const input = yield* group.read(context)
    const isDefaultAccent = "accent" in input && (form["plain"] === "on" || input.accent === defaultAccent)
    yield* run(orgUpdate, isDefaultAccent ? { ...input, accent: null } : input)
    return `${redirectTo("/settings", "saved")}#content`
  }
})

/** Returns the runtime's time zones and the org's, which may be an alias that the runtime does not list. */
const timezoneOptions = ({ org }: PageContext): FieldChoices =>
  [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", org.timezone])].toSorted()
    .map((zone) => [zone, zone.replaceAll("_", " ")])

/** Changes the time zone for hours and dates. The confirmation shows example times in both time zones. */
export const changeZonePage = formPage("/settings/zone", orgUpdate, {
  fields: {
    timezone: {
      label: "Time zone",
      hint: "The time zone of your trips. You can review the effects before anything changes.",
      options: timezoneOptions
    }
  },
  access,
  view({ org }) {
    return {
      title: "Change the time zone",
      lead: `Currently ${org.timezone}.`,
      values: org,
      button: "Review change",
      back: "/settings",
      backLabel: "Cancel"
    }
  },
  *submit({ form, format, now, org, reader, run }, input) {
    const timezone = Zone.find(input.timezone ?? "")?.name
    if (timezone === undefined) return yield* invalid("timezone: must be a time zone from the list")
    if (form["sure"] === "yes") {
      yield* run(orgUpdate, { timezone })
      return redirectTo("/settings", "saved")
    }
    const { data: [nextBooking] } = yield* run(bookingsList, { from: now, status: "confirmed", limit: 1 })
    const city = Format.getZoneCity(timezone)
    const newFormat = Format.make(reader, { currency: org.currency, timezone })
    return toConfirmationPage({
      title: `Change the time zone to ${timezone}?`,
      happens: [
        <>
          <b>Weekly hours keep their clock times.</b>
          {` An opening time of 9:00 stays 9:00, but in ${city} time.`}
        </>,
        <>
          <b>Bookings and scheduled departures keep their exact time.</b>
          {` You and your guests see them in ${city} time. `}
          {nextBooking === undefined
            ? `The current time, ${format.moment(now)}, would be shown as ${newFormat.moment(now)}.`
            : `The next booking, ${format.moment(nextBooking.starts_at)}, would be shown as ${
              newFormat.moment(nextBooking.starts_at)
            }.`}
        </>,
        "No email is sent. Earlier emails show the old times, so notify affected guests yourself.",
        "The morning brief and quiet hours use the new time zone."
      ],
      button: "Change the time zone",
      back: "/settings",
      backLabel: `Keep ${org.timezone}`,
      hidden: { timezone, sure: "yes" },
      isGrave: false
    })
  }
})

const currencyNames = new Intl.DisplayNames("en", { type: "currency" })

const maxOfferings = 20

/** Changes the currency for all prices. The confirmation shows example amounts. The stored integers do not change. */
export const changeCurrencyPage = formPage("/settings/currency", orgUpdate, {
  fields: {
    currency: {
      label: "Currency",
      hint: "You can review the effects before anything changes.",
      options: [...currencies].map((code) => {
        const upper = code.toUpperCase()
        return [code, `${upper} · ${currencyNames.of(upper) ?? code}`] as const
      })
    }
  },
  access,
  view({ org }) {
    return {
      title: "Change the currency",
      lead: `Currently ${org.currency.toUpperCase()}.`,
      values: org,
      button: "Review change",
      back: "/settings",
      backLabel: "Cancel"
    }
  },
  *submit({ form, format, org, reader, run }, { currency = "" }) {
    if (!currencies.has(currency)) return yield* invalid("currency: must be a currency from the list")
    if (form["sure"] === "yes") {
      yield* run(orgUpdate, { currency })
      return redirectTo("/offerings", "currency_changed")
    }
    const { data, next_cursor } = yield* run(offeringsList, { limit: maxOfferings })
    const pricedOfferings = data.filter(({ price_cents }) => price_cents > 0)
    const newFormat = Format.make(reader, { timezone: org.timezone, currency })
    return toConfirmationPage({
      title: `Change the currency to ${currency.toUpperCase()}?`,
      happens: [
        <>
          <b>Nothing is converted.</b> Prices keep their numeric value, so you must update each price.
        </>,
        <>
          <b>Existing bookings are shown in the new currency,</b>{" "}
          and so are your reports. Online payments and their refunds stay in the old currency.
        </>,
        `Your payment account must accept ${currency.toUpperCase()}.`
      ],
      button: "Change the currency",
      back: "/settings",
      backLabel: `Keep ${org.currency.toUpperCase()}`,
      hidden: { currency, sure: "yes" },
      isGrave: false,
      children: (
        <>
          {pricedOfferings.length > 0 && (
            <ul class="rows" aria-label="Prices before and after">
              {pricedOfferings.map(({ id, name, price_cents }) => (
                <li key={id}>
                  <span class="grow" dir="auto">{name}</span>
                  <span class="num">
                    {`${format.money(price_cents)} now, `}
                    <b>{`${newFormat.money(price_cents)} then`}</b>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {next_cursor !== undefined && <p class="soft small">More activities are not shown.</p>}
        </>
      )
    })
  }
})
