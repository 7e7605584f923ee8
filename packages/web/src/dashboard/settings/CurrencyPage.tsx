import { currencies } from "@trailbook/core/money/Currency"
import { offeringsList } from "@trailbook/core/operation/offeringOperations"
import { orgUpdate } from "@trailbook/core/operation/orgOperations"
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import * as Formats from "../../text/Format.ts"
import { saying } from "../frame/said.ts"
import { Consequence } from "../parts/Consequence.tsx"
import { MistakesNote, mistakesOf } from "../parts/Mistakes.tsx"
import { Select } from "../parts/Select.tsx"
import type { Act, DeskAsked, DeskPage, View } from "../View.ts"

/**
 * The currency of all prices: what a change means is said before it is made.
 *
 * @category views
 */
export const view: View = ({ refused, shown: { org, site } }) => {
  const mistakes = mistakesOf(refused, { currency: "Currency" })
  const names = new Intl.DisplayNames("en", { type: "currency" })
  return Effect.succeed({
    title: "Change the currency",
    part: "settings",
    isLive: false,
    lead: `Now ${org.currency.toUpperCase()}.`,
    body: (
      <form class="card pad stack form" method="post" action={site.link("/dashboard/settings/currency")}>
        <MistakesNote of={mistakes} />
        <Select
          name="currency"
          label="Currency"
          value={refused?.form["currency"] ?? org.currency}
          error={mistakes.of("currency")}
          hint="Nothing is changed yet: first you see what it means."
          options={[...currencies].map((
            code
          ) => [code, `${code.toUpperCase()} · ${names.of(code.toUpperCase()) ?? code}`])}
        />
        <p class="acts">
          <button class="btn main">See what it means</button>
          <a class="btn" href={site.link("/dashboard/settings")}>Cancel</a>
        </p>
      </form>
    )
  })
}

const shownAtMost = 20

/** The same whole numbers, read in both currencies. */
const consequence = ({ run, shown: { format, org, reader, site } }: DeskAsked, currency: string) =>
  Effect.gen(function*() {
    const { data, next_cursor } = yield* run(offeringsList, { limit: shownAtMost })
    const priced = data.filter(({ price_cents }) => price_cents > 0)
    const there = Formats.make(reader, { timezone: org.timezone, currency })
    const page: DeskPage = {
      title: `Change the currency to ${currency.toUpperCase()}?`,
      part: "settings",
      isLive: false,
      body: (
        <Consequence
          site={site}
          to="/dashboard/settings/currency"
          happens={[
            <>
              <b>Nothing is converted.</b> Prices keep their number in the smallest unit, so each has to be set anew.
            </>,
            <>
              <b>Bookings that exist are shown in the new currency, too,</b>{" "}
              and so are your figures. What was paid online was paid in the old one, and goes back in it.
            </>,
            `The account that you take payments with has to take ${currency.toUpperCase()}.`
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
          {next_cursor !== undefined && <p class="soft small">And the offerings after these.</p>}
        </Consequence>
      )
    }
    return page
  })

export const act: Act = (asked) =>
  Effect.gen(function*() {
    const { form, run } = asked
    const currency = form["currency"] ?? ""
    if (!currencies.has(currency)) return yield* invalid("currency: must be one of the list")
    if (form["sure"] !== "yes") return yield* consequence(asked, currency)
    yield* run(orgUpdate, { currency })
    return saying("/dashboard/offerings", "currency_changed")
  })
