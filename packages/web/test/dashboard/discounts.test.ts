/** Tests discount codes on the dashboard and on the booking page. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite } from "../guest/TestSite.ts"
import { season } from "../season.ts"
import { open as openWorld } from "../World.ts"
import { fieldsOf } from "./fields.ts"

describe("the discount code pages", () => {
  let site: TestSite
  let cookie: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("owner")
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => site.ask(path, { headers: { cookie }, form })
  const codes = async () =>
    ((await site.call("discounts.list", {})) as unknown as { readonly data: ReadonlyArray<Record<string, unknown>> })
      .data

  it("manage a code and show its uses and revenue", async () => {
    const { id } = await site.call("offerings.create", {
      name: "Float",
      kind: "class",
      price_cents: 10_000,
      capacity: 9
    })
    assert.include((await get("/dashboard/discounts")).html, "No discount codes yet")
    const newPath = "/dashboard/discounts/new"
    const fields = {
      ...fieldsOf((await get(newPath)).html, newPath),
      code: " spring-27 ",
      percent: "12.5",
      max_uses: "40"
    }
    const { headers } = await send(newPath, { ...fields, [`offering_${id}`]: "on" })
    assert.strictEqual(headers.get("location"), "/dashboard/discounts?done=discountSaved")
    const [code] = await codes()
    assert.deepInclude(code, { code: "SPRING-27", percent_bps: 1250, max_uses: 40, offering_ids: [id], active: true })
    assert.strictEqual((await send(newPath, fields)).status, 409)
    assert.include((await send(newPath, { ...fields, code: "x", percent: "120" })).html, "100")

    const { data: [session] } = (await site.call("sessions.create", {
      offering_id: id,
      starts_at: "2027-05-03T16:00:00Z"
    })) as unknown as { readonly data: ReadonlyArray<{ readonly id: string }> }
    const order = { offering_id: id, session_id: session?.id, customer: { email: "ada@example.com" } }
    await site.call("bookings.create", { ...order, discount_code: "spring-27" })
    const { html } = await get("/dashboard/discounts")
    for (const text of ["SPRING-27", "12.5% off", "1 of 40 uses", "$87.50"]) assert.include(html, text)

    const path = `/dashboard/discounts/${String(code?.["id"])}`
    const editFields = fieldsOf((await get(path)).html, path)
    assert.strictEqual(editFields["percent"], "12.5")
    await send(path, { ...editFields, percent: "", amount: "5", book_until: "2027-05-31" })
    assert.deepInclude((await codes())[0], {
      cents: 500,
      percent_bps: null,
      book_until: "2027-05-31",
      offering_ids: [id]
    })
    await send(`${path}/deactivate`, {})
    assert.include((await get("/dashboard/discounts")).html, "Inactive")
    await send(`${path}/activate`, {})
    assert.deepInclude((await codes())[0], { active: true })
    assert.include((await get(`${path}/delete`)).html, "Existing bookings keep their prices.")
    await send(`${path}/delete`, {})
    assert.deepStrictEqual(await codes(), [])
  })

  it("are visible only to owners", async () => {
    const staff = await site.signIn("staff")
    assert.strictEqual((await site.ask("/dashboard/discounts", { headers: { cookie: staff } })).status, 403)
  })
})

describe("the booking page", () => {
  it("accepts discount codes, and limits the attempts from one network", async () => {
    const world = await openWorld()
    const { raft } = await season(world)
    const { data } = (await world.call("sessions.list", { offering_id: raft })) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string; readonly starts_at: string }>
    }
    const slot = data[1]?.id ?? ""
    const path = `/book/salida-river-co/${raft}`
    const details = async () => (await world.ask(`${path}/details?slot=${slot}&date=2027-05-03`)).html
    assert.notInclude(await details(), "discount_code")
    await world.call("discounts.create", { code: "SPRING", percent_bps: 5000 })
    const html = await details()
    assert.include(html, "Do you have a discount code?")
    const form: Record<string, string> = { ...fieldsOf(html, path), name: "Ada", email: "ada@example.com" }
    const book = (discount_code: string) => world.ask(path, { form: { ...form, discount_code }, address: "192.0.2.7" })
    const rejection = await book("FALL")
    assert.strictEqual(rejection.status, 409)
    assert.include(rejection.html, "This discount code is not valid for this booking.")
    const priceChange = await book("spring")
    assert.strictEqual(priceChange.status, 409)
    for (const text of ["The discount code was applied.", "SPRING"]) assert.include(priceChange.html, text)
    const fields = fieldsOf(priceChange.html, path)
    assert.strictEqual(Number(fields["total"]), Number(form["total"]) / 2)
    const response = await world.ask(path, { form: fields, address: "192.0.2.7" })
    assert.strictEqual(response.status, 303)
    assert.strictEqual((await book("§")).status, 422)
    const look = (discount_code: string) =>
      world.ask(`${path}/details`, { form: { ...form, discount_code }, address: "192.0.2.7" })
    for (let tries = 4; tries < 20; tries++) {
      assert.include((await look("FALL")).html, "This discount code is not valid for this booking.")
    }
    const limited = await book("SPRING")
    assert.strictEqual(limited.status, 429)
  })
})
