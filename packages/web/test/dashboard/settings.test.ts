/** Tests the settings, and the guided setup through the first booking. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, png, type TestSite } from "../guest/TestSite.ts"
import { fieldsOf } from "./fields.ts"

const hostile = `"><script>alert(1)</script>`

describe("an org", () => {
  let site: TestSite
  let cookie: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("owner")
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => site.ask(path, { headers: { cookie }, form })
  const orgNow = () => site.call("org.get", {})

  describe("settings", () => {
    const path = "/dashboard/settings"
    const groupOf = async (html: string, group: string) => {
      const form = html.split("<form").find((part) => part.includes(`value="${group}"`)) ?? ""
      return fieldsOf(`<form action="here"${form.slice(form.indexOf(">"))}`, "here")
    }

    it("are saved separately for each group", async () => {
      const before = await orgNow()
      const cases: ReadonlyArray<readonly [group: string, typed: Readonly<Record<string, string>>, saved: object]> = [
        ["name", { name: "Arkansas Rafting" }, { name: "Arkansas Rafting" }],
        ["name", { units: "metric" }, { units: "metric" }],
        ["name", { units: "" }, { units: null }],
        ["page", { accent: "#AA3311", plain: "", logo_url: "https://example.com/l.png" }, {
          accent: "#aa3311",
          logo_url: "https://example.com/l.png",
          cover_url: null
        }],
        ["page", { plain: "on" }, { accent: null }],
        ["page", { accent: "#AA3311" }, { accent: "#aa3311" }],
        ["page", { accent: "#1f5f46" }, { accent: null }],
        ["replies", { reply_window: "within a day", auto_ack: "on", away_notice: "Back on Monday." }, {
          reply_window: "within a day",
          auto_ack: true,
          away_notice: "Back on Monday."
        }],
        ["guests", { guest_changes_hours: "48" }, { guest_changes_hours: 48 }],
        ["guests", { guest_changes_hours: "" }, { guest_changes_hours: null }],
        ["staff", { staff_may_refund: "on" }, { staff_may_refund: true }],
        ["staff", { staff_may_refund: "" }, { staff_may_refund: false }],
        ["limits", { brief_hour: "7", ops_daily_cap: "20", refund_ceiling: "1,250.50" }, {
          brief_hour: 7,
          ops_daily_cap: 20,
          refund_ceiling_cents: 125_050
        }],
        ["limits", { quiet_from: "", quiet_to: "", refund_ceiling: "" }, {
          quiet_from: null,
          quiet_to: null,
          refund_ceiling_cents: null
        }]
      ]
      const expected: Record<string, unknown> = { ...before }
      for (const [group, input, changes] of cases) {
        const fields = await groupOf((await get(path)).html, group)
        assert.strictEqual(fields["group"], group)
        const { headers, status } = await send(path, { ...fields, ...input })
        assert.strictEqual(status, 303, group)
        assert.strictEqual(headers.get("location"), `${path}?done=saved#content`)
        Object.assign(expected, changes)
        assert.deepEqual<Record<string, unknown>>(await orgNow(), expected)
      }
    })

    it("show errors within their group, and keep the input", async () => {
      for (
        const [group, wrong, says] of [
          ["name", { name: "" }, "Name: must be 1 to 80 characters long."],
          ["page", { logo_url: "http://example.com" }, "Logo: must be an https URL"],
          ["page", { accent: "red", plain: "" }, "Color: must be a hex color"],
          ["guests", { guest_changes_hours: "-1" }, "Change deadline (hours before start): must be a whole number."],
          [
            "guests",
            { guest_changes_hours: "721" },
            "Change deadline (hours before start): must be a whole number from 0 to 720"
          ],
          ["limits", { quiet_from: "" }, "Quiet hours start: quiet hours require both"],
          ["limits", { refund_ceiling: "12.3456" }, "Maximum automatic refund: must have at most 2 decimals."],
          [
            "limits",
            { ops_daily_cap: "0" },
            "Maximum automatic actions in 24 hours: must be a whole number from 1 to 500"
          ]
        ] as const
      ) {
        const fields = await groupOf((await get(path)).html, group)
        const { html, status } = await send(path, { ...fields, ...wrong })
        assert.strictEqual(status, 422)
        assert.include(html, says)
        assert.strictEqual(html.match(/role="alert"/g)?.length, 1)
        for (const value of Object.values(wrong)) if (value !== "") assert.include(html, `value="${value}"`)
      }
      const { html } = await send(path, { group: "name", name: "Raft", units: "si" })
      assert.include(html, "Units: must be one of us, metric")
      assert.strictEqual((await send(path, {})).status, 422)
    })

    it("can be changed only by owners", async () => {
      cookie = await site.signIn("staff")
      for (const rest of ["", "/zone", "/currency"]) assert.strictEqual((await get(path + rest)).status, 403)
      assert.strictEqual((await send(path, { group: "name", name: "Mine" })).status, 403)
      assert.strictEqual((await send(path, { group: "staff", staff_may_refund: "on" })).status, 403)
    })

    it("reject invalid images with an error message", async () => {
      const images = `${path}/images`
      const upload = async (bytes: string | Uint8Array<ArrayBuffer>, act: string) => {
        const form = new FormData()
        form.append("files", new Blob([bytes]), "logo.png")
        form.append("do", act)
        return site.ask(images, { headers: { cookie }, form })
      }
      const formOf = (html: string, kind: string) =>
        html.split("<form").find((part) => part.includes(`value="add ${kind}"`)) ?? ""
      const before = await orgNow()
      assert.include(formOf((await get(path)).html, "cover"), `action="${images}"`)
      const none = await upload("", "add cover")
      assert.strictEqual(none.status, 422)
      assert.include(formOf(none.html, "cover"), "Cover file: choose a picture.")
      assert.notInclude(formOf(none.html, "logo"), "choose a picture")
      const text = await upload("not a picture", "add logo")
      assert.strictEqual(text.status, 422)
      assert.include(formOf(text.html, "logo"), "Unsupported file type.")
      assert.strictEqual((await upload(new Uint8Array(10 * 1024 * 1024 + 1), "add logo")).status, 422)
      // This server has no image library.
      const unavailable = await upload(new Uint8Array(png), "add logo")
      assert.strictEqual(unavailable.status, 409)
      assert.include(formOf(unavailable.html, "logo"), "Photos are not available: the server needs")
      assert.deepStrictEqual(await orgNow(), before)
      cookie = await site.signIn("staff")
      assert.strictEqual((await upload(new Uint8Array(png), "add logo")).status, 403)
    })

    it("link to the page with the embed snippet", async () => {
      assert.include((await get(path)).html, "href=\"/widget/salida-river-co\"")
      const siteNoWidget = await open({ widget: false })
      const owner = await siteNoWidget.signIn()
      assert.notInclude((await siteNoWidget.ask(path, { headers: { cookie: owner } })).html, "/widget/")
      await siteNoWidget.close()
    })

    it("escape text that users typed", async () => {
      await site.call("org.update", { name: hostile, reply_window: hostile, away_notice: hostile })
      assert.notInclude((await get(path)).html, "<script>alert")
    })
  })

  it("changes its time zone after a preview of the affected times", async () => {
    const { id } = await site.call("offerings.create", { name: "Raft trip", kind: "class" })
    await site.call("sessions.create", { offering_id: id, starts_at: "2027-05-08T15:00:00Z" })
    await site.book(id)
    const path = "/dashboard/settings/zone"
    assert.match((await get(path)).html, /value="America\/Denver" selected/)
    const tables = await site.tables()
    const look = await send(path, { timezone: "Europe/Vienna" })
    assert.strictEqual(look.status, 200)
    assert.include(look.html, "Sat, May 8, 9:00 AM, would be shown as Sat, May 8, 5:00 PM")
    assert.strictEqual(await site.tables(), tables)
    assert.strictEqual((await send(path, fieldsOf(look.html, path))).status, 303)
    assert.strictEqual((await orgNow())["timezone"], "Europe/Vienna")
    const wrong = await send(path, { timezone: "Mars/Olympus" })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, "Time zone: must be a time zone from the list")
  })

  it("changes its currency after a warning that amounts are not converted", async () => {
    await site.call("offerings.create", { name: hostile, kind: "class", price_cents: 9500 })
    const path = "/dashboard/settings/currency"
    const tables = await site.tables()
    const look = await send(path, { currency: "jpy" })
    assert.include(look.html, "$95 now, <b>¥9,500 then</b>")
    assert.notInclude(look.html, "<script>alert")
    assert.strictEqual(await site.tables(), tables)
    const { headers } = await send(path, fieldsOf(look.html, path))
    assert.strictEqual(headers.get("location"), "/dashboard/offerings?done=currency_changed")
    assert.strictEqual((await orgNow())["currency"], "jpy")
    assert.strictEqual((await send(path, { currency: "xyz" })).status, 422)
  })

  describe("during setup", () => {
    const path = "/dashboard/setup"
    const entries = { step: "what", name: "Raft trip", price: "95", duration: "4", duration_unit: "hours" }

    it("is guided until guests can book a class", async () => {
      const fresh = await get(path)
      assert.include(fresh.html, "Three short steps.")
      const fields = fieldsOf(fresh.html, path)
      const response = await send(path, { ...fields, ...entries, kind: "class" })
      assert.match(response.headers.get("location") ?? "", /^\/dashboard\/setup\?offering=/)
      // Sending the form again does not create a second offering.
      await send(path, { ...fields, ...entries, kind: "class" })
      const when = await get(path)
      assert.include(when.html, "Raft trip")
      assert.include(when.html, "Booking page address")
      const dates = fieldsOf(when.html, path)
      assert.deepInclude(dates, { step: "dates", date: "2027-05-02", time: "09:00", weeks: "1" })
      assert.strictEqual((await send(path, { ...dates, weeks: "4" })).status, 303)
      const ready = await get(path)
      assert.include(ready.html, "Guests can book now")
      assert.include(ready.html, `${site.url}/book/salida-river-co`)
      assert.include(ready.html, "Take payments")
      assert.include((await site.ask("/book/salida-river-co")).html, "Raft trip")
      const { data } = (await site.call("sessions.list", {})) as unknown as { readonly data: ReadonlyArray<object> }
      assert.strictEqual(data.length, 4)
    })

    it("gets default weekly hours that can be changed", async () => {
      const response = await send(path, { ...fieldsOf((await get(path)).html, path), ...entries, kind: "rental" })
      const next = response.headers.get("location") ?? ""
      const { html } = await get(next)
      assert.include(html, "Guests can book now")
      const hours = fieldsOf(html, path)
      assert.deepInclude(hours, { step: "hours", "day-0": "on", "day-6": "on", from: "09:00", to: "17:00" })
      const { "day-0": _, ...without } = hours
      await send(path, { ...without, to: "00:00" })
      const { data } = (await site.call("offerings.get_hours", { id: hours["offering"] })) as unknown as {
        readonly data: ReadonlyArray<object>
      }
      assert.strictEqual(data.length, 6)
      assert.deepInclude(data, { weekday: 1, start_time: "09:00:00", end_time: "24:00:00" })
      const none = await send(path, { step: "hours", offering: hours["offering"] ?? "", from: "08:30", to: "17:00" })
      assert.strictEqual(none.status, 422)
      assert.include(none.html, "Choose at least one day.")
      assert.include(none.html, "value=\"08:30\"")
    })

    it("keeps the input of a rejected form", async () => {
      const fields = fieldsOf((await get(path)).html, path)
      const { html, status } = await send(path, { ...fields, ...entries, kind: "rental", price: "lots" })
      assert.strictEqual(status, 422)
      assert.include(html, "Price: must be an amount such as 95.50.")
      assert.include(html, "value=\"Raft trip\"")
      assert.match(html, /value="rental"[^>]*checked/)
      assert.strictEqual((await send(path, { step: "else" })).status, 422)
    })

    it("is prompted to resume a paused offering", async () => {
      await site.call("offerings.create", { name: hostile, kind: "class", active: false })
      const { html } = await get(path)
      assert.include(html, "Resume booking")
      assert.notInclude(html, "<script>alert")
    })
  })
})
