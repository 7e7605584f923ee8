import { currencies } from "@trailbook/core/money/Currency"
import { offeringsList } from "@trailbook/core/offering/offeringOperations"
import { orgUpdate } from "@trailbook/core/org/orgOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as Format from "../../text/Format.ts"
import { withFlash } from "../frame/flashMessage.ts"
import type { DashboardPage, FormAction, PageContext, PageView } from "../Page.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { FormButtons } from "../parts/FormButtons.tsx"
import { FormErrorNote, makeForm } from "../parts/FormErrors.tsx"
import { Select } from "../parts/Select.tsx"

/** Changes the currency of all prices, after a confirmation. */
export const view: PageView = ({ refused, shown: { org, site } }) => {
  const { field, mistakes } = makeForm(refused, { currency: "Currency" }, { currency: org.currency })
  const names = new Intl.DisplayNames("en", { type: "currency" })
  const nameOf = (code: string) => `${code} · ${names.of(code) ?? code.toLowerCase()}`
  return Effect.succeed({
    title: "Change the currency",
    part: "settings",
    isLive: false,
    lead: `Now ${org.currency.toUpperCase()}.`,
    body: (
      <form class="card pad stack form" method="post" action={site.link("/dashboard/settings/currency")}>
        <FormErrorNote of={mistakes} />
        <Select
          {...field("currency")}
          hint="You can review the effects before anything changes."
          options={[...currencies].map((code) => [code, nameOf(code.toUpperCase())])}
        />
        <FormButtons site={site} confirm="Review change" back="/dashboard/settings" backLabel="Cancel" />
      </form>
    )
  })
}

const shownAtMost = 20

/** Example amounts in both currencies. The stored integers do not change. */
const consequence = (asked: PageContext, currency: string) =>
  Effect.map(asked.run(offeringsList, { limit: shownAtMost }), ({ data, next_cursor }): DashboardPage => {
    const { format, org, reader } = asked.shown
    const priced = data.filter(({ price_cents }) => price_cents > 0)
    const there = Format.make(reader, { timezone: org.timezone, currency })
    return {
      title: `Change the currency to ${currency.toUpperCase()}?`,
      part: "settings",
      body: (
        <Consequence
          asked={asked}
          to="/dashboard/settings/currency"
          happens={[
            <>
              <b>Nothing is converted.</b> Prices keep their numeric value, so you must update each price.
            </>,
            <>
              <b>Existing bookings are shown in the new currency,</b>{" "}
              and so are your reports. Online payments and their refunds stay in the old currency.
            </>,
            `Your payment account must accept ${currency.toUpperCase()}.`
          ]}
          confirm="Change the currency"
          back="/dashboard/settings"
          backLabel={`Keep ${org.currency.toUpperCase()}`}
          hidden={{ currency, sure: "yes" }}
          isGrave={false}
        >
          {priced.length > 0 && (
            <ul class="rows" aria-label="Prices before and after">
              {priced.map(({ id, name, price_cents }) => (
                <li key={id}>
                  <span class="grow" dir="auto">{name}</span>
                  <span class="num">
                    {`${format.money(price_cents)} now, `}
                    <b>{`${there.money(price_cents)} then`}</b>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {next_cursor !== undefined && <p class="soft small">More activities are not shown.</p>}
        </Consequence>
      )
    }
  })

export const act: FormAction = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const currency = form["currency"] ?? ""
    if (!currencies.has(currency)) return yield* invalid("currency: must be a currency from the list")
    if (form["sure"] !== "yes") return yield* consequence(asked, currency)
    yield* run(orgUpdate, { currency })
    return withFlash("/dashboard/offerings", "currency_changed")
  })
