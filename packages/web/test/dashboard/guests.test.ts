import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { fieldsOf } from "./fields.ts"

const hostile = `"><script>alert(1)</script>`

describe("the guests pages", () => {
  let site: TestSite
  let cookie: string
  let tripId: string
  beforeEach(async () => {
    site = await open()
    cookie = await site.signIn("staff")
    tripId = (await site.call("offerings.create", trip)).id
  })
  afterEach(() => site.close())

  const get = (path: string) => site.ask(path, { headers: { cookie } })
  const send = (path: string, form: Readonly<Record<string, string>>) => site.ask(path, { headers: { cookie }, form })

  it("list guests, export them, and find one by phone number", async () => {
    assert.include(
      (await get("/dashboard/guests")).html,
      "No guests yet. Guests appear here after their first booking."
    )
    for (let n = 0; n < 51; n++) {
      await site.call("customers.upsert", {
        email: `guest${n}@example.com`,
        name: `Guest ${n}`,
        phone: `+1 719 555 ${1000 + n}`
      })
    }
    const first = await get("/dashboard/guests")
    assert.include(first.html, ">Guest 50<")
    assert.notInclude(first.html, ">Guest 0<")
    const next = /href="(\?cursor=[^"]*)">Next/.exec(first.html)?.[1] ?? ""
    assert.include((await get(`/dashboard/guests${next}`)).html, ">Guest 0<")
    const file = await get("/dashboard/guests.csv?q=7195551007")
    assert.include(file.html, "Name,Email,Phone,Notes,Since\r\nGuest 7,guest7@example.com,'+1 719 555 1007,,")
    assert.strictEqual((await get("/dashboard/guests.csv")).html.split("\r\n").length, 53)
    const searchPage = await get("/dashboard/guests?q=7195551007")
    assert.include(searchPage.html, ">Guest 7<")
    assert.notInclude(searchPage.html, ">Guest 8<")
    const none = await get(`/dashboard/guests?q=${encodeURIComponent(hostile)}`)
    assert.include(none.html, "No guests match. Try part of the name, email, or phone number.")
    assert.notInclude(none.html, "<script>alert")
  })

  it("show a guest's bookings and change the guest's details", async () => {
    const booking = await site.book(tripId, {}, 3)
    const cancelled = await site.book(tripId, {}, 5)
    await site.call("bookings.cancel", { id: cancelled.id })
    const path = `/dashboard/guests/${booking.customer_id}`
    const tables = await site.tables()
    const { html } = await get(path)
    assert.strictEqual(await site.tables(), tables)
    assert.include(html, booking.reference)
    assert.include(html, "Canceled")
    assert.include(html, `/dashboard/bookings/new?guest=${booking.customer_id}`)
    assert.notInclude(html, "/dashboard/inbox/")
    const fields = fieldsOf(html, path)
    assert.deepStrictEqual(fields, { name: "Ada Lovelace", phone: "+1 719 555 0100", notes: "", metadata: "" })
    const metadata = `{"boat": "${hostile.replaceAll("\"", "'")}"}`
    const notes = `Left-handed\n${hostile}`
    const { headers } = await send(path, { ...fields, phone: "+1 719 555 0199", notes, metadata })
    assert.strictEqual(headers.get("location"), `${path}?done=saved`)
    const after = await get(path)
    assert.notInclude(after.html, "<script>alert")
    assert.deepStrictEqual(fieldsOf(after.html, path)["notes"], `Left-handed\n${hostile}`)
    const customer = await site.call("customers.get", { id: booking.customer_id })
    assert.deepInclude(customer, { metadata: JSON.parse(metadata) })
    // A form without the metadata field does not change the metadata.
    await send(path, { name: "Ada", phone: "", notes: "" })
    assert.deepInclude(await site.call("customers.get", { id: booking.customer_id }), {
      metadata: JSON.parse(metadata)
    })
    const list = await send(path, { ...fields, metadata: "[]" })
    assert.include(list.html, "Custom data (JSON): must be a JSON object.")
    const long = await send(path, { ...fields, name: "x".repeat(121), notes: "kept" })
    assert.strictEqual(long.status, 422)
    assert.include(long.html, "Name: must be at most 120 characters long.")
    assert.include(long.html, ">kept</textarea>")
  })

  it("link to the guest's conversation", async () => {
    const booking = await site.book(tripId)
    await site.call("messages.send", { booking_id: booking.id, body: "See you there." })
    assert.match(
      (await get(`/dashboard/guests/${booking.customer_id}`)).html,
      /href="\/dashboard\/inbox\/[0-9a-f-]{36}"/
    )
  })

  it("show which data is removed before a guest is erased", async () => {
    const booking = await site.book(tripId, { notes: "One of us is left-handed." }, 3)
    const path = `/dashboard/guests/${booking.customer_id}/erase`
    const tables = await site.tables()
    const { html } = await get(path)
    for (
      const says of [
        "The guest has an upcoming booking on Sunday, May 2, 2027",
        "Erasure does not cancel bookings. Afterward, you cannot contact the guest about",
        "All messages with this guest are deleted, including photos and documents.",
        "The booking is kept without a name"
      ]
    ) assert.include(html, says)
    const unsure = await send(path, {})
    assert.strictEqual(unsure.status, 422)
    assert.include(unsure.html, "Not erased. Confirm that the guest requested erasure.")
    assert.strictEqual(await site.tables(), tables)
    const { headers } = await send(path, { sure: "on" })
    assert.strictEqual(headers.get("location"), "/dashboard/guests?done=erased")
    const after = await get(`/dashboard/guests/${booking.customer_id}`)
    assert.include(after.html, "Erased guest")
    assert.include(after.html, booking.reference)
    assert.notInclude(after.html, "Ada")
    assert.include((await get(path)).html, "This guest's data was already erased.")
    assert.include((await get("/dashboard/guests?done=erased")).html, "Guest erased.")
    assert.strictEqual((await site.booking(booking.id)).notes, "")
    assert.include((await get("/dashboard/guests")).html, ">Erased guest</a>")
    // An erased guest has no address, so the booking page offers no email actions.
    const { html: their } = await get(`/dashboard/bookings/${booking.id}`)
    assert.include(their, "Erased guest")
    assert.notInclude(their, "Message guest")
    assert.notInclude(their, "Resend confirmation")
  })

  it("add a guest or update the existing one", async () => {
    const path = "/dashboard/guests/new"
    assert.include((await get("/dashboard/guests")).html, `href="${path}"`)
    const fields = fieldsOf((await get(path)).html, path)
    const wrong = await send(path, { ...fields, email: "nobody", name: hostile, notes: "kept" })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, "Email: must be one email address of at most 254 characters.")
    assert.include(wrong.html, ">kept</textarea>")
    assert.notInclude(wrong.html, "<script>alert")
    const response = await send(path, { ...fields, email: "Grace@Example.com", name: "Grace", notes: "Left-handed" })
    const [, at, id = ""] =
      /^(\/dashboard\/guests\/([0-9a-f-]{36}))\?done=saved$/.exec(response.headers.get("location") ?? "") ?? []
    assert.include((await get(at ?? "")).html, "grace@example.com")
    const again = await send(path, { ...fields, email: "grace@example.com", phone: "+1 719 555 0100" })
    assert.strictEqual(again.headers.get("location"), `${at}?done=saved`)
    const guest = await site.call("customers.get", { id })
    assert.deepInclude(guest, { name: "Grace", phone: "+1 719 555 0100", notes: "Left-handed" })
  })

  it("return the not-found page for an unknown guest", async () => {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057"
    for (const rest of ["", "/erase"]) assert.strictEqual((await get(`/dashboard/guests/${id}${rest}`)).status, 404)
    assert.strictEqual((await send(`/dashboard/guests/${id}/erase`, { sure: "on" })).status, 404)
  })
})
