/** Tests an activity's prices and the outfitter's fees. */
import type { Fee, Pricing } from "@trailbook/core/pricing"
import * as generator from "@trailbook/testkit/generator/pricing"
import * as FastCheck from "effect/FastCheck"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { runs } from "../../../../test/runs.ts"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { fieldsOf } from "./fields.ts"

/** Drops optional fields that have their default value. */
const normalize = (of: object) =>
  Object.fromEntries(
    Object.entries(of).filter(([, value]) =>
      value !== undefined && value !== null && value !== false && value !== "all" &&
      !(Array.isArray(value) && value.length === 0)
    )
  )

const normalizePricing = ({ deposit = null, extras = [], min_places, rates }: Pricing) => ({
  deposit: deposit && normalize(deposit),
  rates: rates.map(normalize),
  extras: extras.map(normalize),
  min_places
})

describe("the dashboard's price pages", () => {
  let site: TestSite
  let cookie: string
  let id: string
  let path: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn()
    id = (await site.call("offerings.create", trip)).id
    path = `/dashboard/offerings/${id}/prices`
  })
  afterEach(() => site.close())

  const ask = (path: string, form?: Readonly<Record<string, string>>) =>
    site.ask(path, { headers: { cookie }, ...(form === undefined ? {} : { form }) })
  const fees = "/dashboard/settings/fees"

  it("preserve all prices and fees if the form is saved unchanged", async () => {
    const prices = FastCheck.record({
      pricing: generator.pricing,
      fees: generator.orgFees([id, crypto.randomUUID()]),
      kind: FastCheck.constantFrom("class", "appointment", "rental")
    })
    await FastCheck.assert(
      FastCheck.asyncProperty(prices, async (input) => {
        const { pricing } = input
        const offering = await site.call("offerings.create", { name: "Trip", kind: input.kind, pricing })
        await site.call("org.update", { fees: input.fees })
        const pricesPath = `/dashboard/offerings/${offering.id}/prices`
        for (const page of [pricesPath, fees]) {
          const { status } = await ask(page, fieldsOf((await ask(page)).html, page))
          assert.strictEqual(status, 303)
        }
        const savedOffering = await site.call("offerings.get", { id: offering.id }) as unknown as {
          readonly pricing: Pricing
        }
        const org = await site.call("org.get", {}) as unknown as { readonly fees: ReadonlyArray<Fee> }
        const isRental = input.kind === "rental"
        const extras = (pricing.extras ?? []).map((extra) => isRental ? extra : { ...extra, each_period: false })
        assert.deepStrictEqual(normalizePricing(savedOffering.pricing), normalizePricing({ ...pricing, extras }))
        assert.deepStrictEqual(org.fees.map(normalize), input.fees.map(normalize))
      }),
      { numRuns: runs(40, 15) }
    )
  })

  it("add, move, and remove rows without saving", async () => {
    let form = fieldsOf((await ask(path)).html, path)
    const press = async (button: string, changes: Readonly<Record<string, string>> = {}) => {
      const answer = await ask(path, { ...form, ...changes, do: button })
      assert.strictEqual(answer.status, 200)
      form = fieldsOf(answer.html, path)
    }
    await press("add pricing.rates")
    assert.strictEqual(form["pricing.rates.0.price_cents"], "95")
    await press("add pricing.rates", { "pricing.rates.0.name": "Kind (8–12)" })
    assert.strictEqual(form["pricing.rates.0.id"], "kind-8-12")
    await press("add pricing.rates", {
      "pricing.rates.1.name": "Élève",
      "pricing.rates.1.price_cents": "75.50",
      "pricing.rates.1.needs_any_of_kind-8-12": "on"
    })
    await press("up pricing.rates 1", { "pricing.rates.2.name": "Élève", "pricing.rates.2.price_cents": "0" })
    await press("remove pricing.rates 2")
    await press("add pricing.extras")
    const extra = {
      "pricing.extras.0.name": "Photos",
      "pricing.extras.0.price_cents": "35",
      "pricing.extras.0.max": "1"
    }
    assert.isNull((await site.call("offerings.get", { id }))["pricing"])
    const deposit = { "pricing.deposit.amount": "12.5", "pricing.deposit.balance_due_hours": "48" }
    const response = await ask(path, { ...form, ...extra, ...deposit, "pricing.min_places": "2", do: "save" })
    assert.strictEqual(response.status, 303)
    const { price_cents, pricing } = await site.call("offerings.get", { id })
    assert.strictEqual(price_cents, 7550)
    assert.deepStrictEqual(normalizePricing(pricing as Pricing), {
      // The first rate is the default, so it must be bookable without another rate.
      rates: [
        { id: "eleve", name: "Élève", price_cents: 7550, places: 1 },
        { id: "kind-8-12", name: "Kind (8–12)", price_cents: 9500, places: 1 }
      ],
      extras: [{ id: "photos", name: "Photos", price_cents: 3500, per: "place", max: 1 }],
      min_places: 2,
      deposit: { percent_bps: 1250, balance_due_hours: 48 }
    })
    const none = await ask(path, { "pricing.min_places": "2", do: "save" })
    assert.strictEqual(none.status, 303)
    assert.isNull((await site.call("offerings.get", { id }))["pricing"])
  })

  it.each([
    [{ "pricing.rates.0.price_cents": "95,5,5" }, "pricing.rates.0.price_cents"],
    [{ "pricing.rates.0.name": " " }, "pricing.rates.0.name"],
    [{ "pricing.rates.0.places": "0" }, "pricing.rates.0.places"],
    [{ "pricing.rates.0.max": "x" }, "pricing.rates.0.max"],
    [{ "pricing.min_places": "0" }, "pricing.min_places"],
    [{ "pricing.deposit.amount": "8.875" }, "pricing.deposit.amount"],
    [{ "pricing.deposit.amount": "5,00,0", "pricing.deposit.per": "place" }, "pricing.deposit.amount"],
    [
      { "pricing.deposit.amount": "25", "pricing.deposit.balance_due_hours": "9000" },
      "pricing.deposit.balance_due_hours"
    ]
  ])("show the error for %o next to its field", async (input, name) => {
    const rate = { "pricing.rates.0.name": "Adult", "pricing.rates.0.price_cents": "9", "pricing.rates.0.places": "1" }
    const { html, status } = await ask(path, { ...rate, ...input, do: "save" })
    assert.strictEqual(status, 422)
    assert.include(html, `href="#${name}"`)
    assert.match(html, new RegExp(`aria-invalid="true"[^>]* (name|id)="${name}"`))
    assert.deepInclude(fieldsOf(html, path), input)
  })

  it.each([
    [{ "fees.0.amount": "8.875" }, "fees.0.amount"],
    [{ "fees.0.amount": "" }, "fees.0.amount"],
    [{ "fees.0.per": "place", "fees.0.amount": "5,00,0" }, "fees.0.amount"],
    [{ "fees.0.on": "extras", "fees.0.included": "on" }, "fees.0.on"]
  ])("show the error for the fee %o next to its field", async (input, name) => {
    const form = { "fees.0.name": "Tax", "fees.0.per": "order_value", "fees.0.amount": "8", ...input }
    const { html, status } = await ask(fees, { ...form, do: "save" })
    assert.strictEqual(status, 422)
    assert.include(html, `href="#${name}"`)
  })

  it("preview a sample party's price before saving", async () => {
    const tax = { "fees.0.name": "Tax", "fees.0.per": "order_value", "fees.0.amount": "8.25 %", "fees.0.tax": "on" }
    assert.include((await ask(fees, { ...tax, do: "preview" })).html, "Total $102.84")
    assert.strictEqual((await ask(fees, { ...tax, do: "save" })).status, 303)
    const rate = {
      "pricing.rates.0.name": "Adult",
      "pricing.rates.0.price_cents": "80",
      "pricing.rates.0.places": "1",
      "pricing.rates.1.name": "Child",
      "pricing.rates.1.price_cents": "40",
      "pricing.rates.1.places": "1",
      "pricing.rates.1.needs_any_of_adult": "on"
    }
    const preview = async (sample: Readonly<Record<string, string>>) =>
      (await ask(path, { ...rate, ...sample, do: "preview" })).html
    assert.include(await preview({}), "Total $173.20")
    assert.include(await preview({ "sample.pricing.rates.adult": "1", "sample.pricing.rates.child": "1" }), "$129.90")
    const deposit = { "pricing.deposit.amount": "50", "pricing.deposit.balance_due_hours": "48" }
    assert.include(await preview(deposit), ", deposit $86.60")
    assert.include(await preview({ ...deposit, "pricing.deposit.per": "place" }), ", deposit $100")
    assert.include(await preview({ "sample.pricing.rates.child": "1" }), "Party: requires one of these rates: adult.")
    assert.isNull((await site.call("offerings.get", { id }))["pricing"])
  })

  it("show fees only to owners", async () => {
    cookie = await site.signIn("staff")
    assert.strictEqual((await ask(fees)).status, 403)
    assert.strictEqual((await ask(path)).status, 200)
  })
})
