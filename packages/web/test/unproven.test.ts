/** Tests the limits for anonymous visitors to the booking page, and how a guest verifies a booking by email. */
import { assert, beforeEach, describe, it } from "vitest"
import { open, type World } from "./World.ts"

const day = "2027-05-03"

let world: World
let raft: string
let sessions: Array<string>

beforeEach(async () => {
  world = await open()
  raft = (await world.call("offerings.create", { name: "Raft", kind: "class", capacity: 24, max_per_booking: 10 })).id
  const { data } = await world.call("sessions.create", {
    offering_id: raft,
    starts_at: `${day}T15:00:00Z`,
    repeat_weeks: 20
  }) as unknown as { readonly data: ReadonlyArray<{ readonly id: string }> }
  sessions = data.map(({ id }) => id)
})

/** Creates a departure one week after the previous one and returns its index. */
const departure = async (capacity: number) => {
  const starts_at = new Date(Date.parse(`${day}T15:00:00Z`) + sessions.length * 7 * 86_400_000).toISOString()
  const { data } = await world.call("sessions.create", { offering_id: raft, starts_at, capacity }) as unknown as {
    readonly data: ReadonlyArray<{ readonly id: string }>
  }
  return sessions.push(data[0]?.id ?? "") - 1
}

let guests = 0
const book = (address: string | undefined, quantity = 1, fields: Record<string, string> = {}, session = 0, path = "") =>
  world.ask(`/book/salida-river-co/${raft}${path}`, {
    form: {
      name: "Ada",
      email: `ada${++guests}@example.com`,
      slot: sessions[session] ?? "",
      date: new Date(Date.parse(day) + session * 7 * 86_400_000).toISOString().slice(0, 10),
      quantity: String(quantity),
      shown: "now",
      ...fields
    },
    ...(address === undefined ? {} : { address })
  })

const bookings = async () => {
  const { data } = await world.call("bookings.list", { limit: 500 }) as unknown as {
    readonly data: ReadonlyArray<
      { readonly id: string; readonly handle: string; readonly quantity: number; readonly status: string }
    >
  }
  return data
}
const seats = async () => (await bookings()).reduce((sum, { quantity }) => sum + quantity, 0)

describe("an unverified visitor", () => {
  it("can book at most 6 seats from one IPv4 address", async () => {
    for (let at = 0; at < 40; at++) {
      if (at % 9 === 0) world.set(`2027-05-01T14:${10 + at}:00Z`)
      const { headers, status } = await book("192.0.2.7", 1, {}, at % 20)
      assert.strictEqual(status, at < 6 ? 303 : 429)
      if (at === 6) assert.match(headers.get("retry-after") ?? "", /^\d+$/)
    }
    assert.strictEqual(await seats(), 6)
    assert.strictEqual((await book("::ffff:192.0.2.7")).status, 429)
    assert.strictEqual((await book("192.0.2.8", 4)).status, 303)
  })

  it("can book at most 6 seats from one IPv6 /64 network", async () => {
    for (let at = 0; at < 9; at++) await book(`2001:db8:0:7::${at + 1}`, 1, {}, at)
    assert.strictEqual(await seats(), 6)
    assert.strictEqual((await book("2001:db8:0:8::1")).status, 303)
  })

  it.each([[1, 1], [4, 1], [8, 2], [10, 2], [24, 6], [40, 6]])(
    "on a departure with %i seats, can book at most %i",
    async (capacity, most) => {
      const session = await departure(capacity)
      for (const quantity of [10, 7, most + 1].filter((quantity) => quantity <= Math.min(capacity, 10))) {
        const { headers, html, status } = await book("192.0.2.7", quantity, {}, session)
        assert.strictEqual(status, 429, `${quantity} seats`)
        assert.strictEqual(headers.get("retry-after"), "3600")
        assert.include(html, "To book this many seats, confirm your email address first.")
        assert.include(html, `/book/salida-river-co/${raft}/email`)
      }
      assert.strictEqual(await seats(), 0)
      assert.strictEqual((await book("192.0.2.7", most, {}, session)).status, 303)
    }
  )

  it("can book for any group size after confirming an email address", async () => {
    const session = await departure(10)
    const group = { email: "grace@example.com", notes: "Two kayaks" }
    assert.strictEqual((await book("192.0.2.7", 10, group, session)).status, 429)
    const response = await book("192.0.2.7", 10, group, session, "/email")
    assert.strictEqual(response.status, 200)
    assert.include(response.html, "We sent a link to grace@example.com.")
    assert.include(response.html, "Two kayaks")
    assert.strictEqual((await book("192.0.2.7", 10, group, session)).status, 429)

    const path = `/book/salida-river-co/email/${await world.proof("grace@example.com")}`
    assert.include((await world.ask(path)).html, "Confirm your email address to continue with your booking.")
    assert.strictEqual((await book("192.0.2.7", 10, group, session)).status, 429, "a GET of the link verified it")
    assert.strictEqual((await world.ask(path.slice(0, -1), { form: {} })).status, 410)
    assert.include((await world.ask(path, { form: {} })).html, "Your email address is confirmed.")
    assert.strictEqual((await book("192.0.2.7", 10, { email: "ada@example.com" }, session)).status, 429)
    assert.strictEqual((await book("192.0.2.7", 10, group, session)).status, 303)
    assert.strictEqual(await seats(), 10)

    world.set("2027-05-02T14:00:00Z")
    assert.strictEqual((await book("192.0.2.7", 10, group, await departure(10))).status, 429)
    assert.strictEqual((await world.ask(path, { form: {} })).status, 410)
  })

  it("can request at most 6 emailed links a day", async () => {
    for (let at = 0; at < 7; at++) {
      const { status } = await book("192.0.2.7", 10, {}, at, "/email")
      assert.strictEqual(status, at < 6 ? 200 : 429)
    }
    assert.strictEqual((await book("192.0.2.8", 10, {}, 0, "/email")).status, 200)
  })

  it("remains limited after paid or verified bookings from the same network", async () => {
    await world.call("org.update", { confirm_email: true })
    const session = await departure(10)
    for (const [at, quantity] of [2, 2, 2, 2].entries()) {
      const { headers, status } = await book("192.0.2.7", quantity, {}, session)
      assert.strictEqual(status, 303)
      const handle = /\/b\/([\w-]+)/.exec(headers.get("location") ?? "")?.[1] ?? ""
      const id = (await bookings()).find((one) => one.handle === handle)?.id ?? ""
      if (at % 2 === 0) await world.pay(id)
      else {
        const form = { link: await world.mailed(id) }
        assert.strictEqual((await world.ask(`/b/${handle}/mailed`, { form })).status, 303)
      }
    }
    assert.strictEqual(await seats(), 8)
    assert.strictEqual((await book("192.0.2.7", 2, {}, await departure(4))).status, 429)
  })

  it("can book an appointment for a party of any size", async () => {
    const { id } = await world.call("offerings.create", { name: "Guide", kind: "appointment", max_per_booking: 10 })
    const slot = { slot: "2027-05-03T15:00:00.000Z" }
    const form = { name: "Ada", email: "ada@example.com", quantity: "10", date: day, shown: "now", ...slot }
    assert.strictEqual((await world.ask(`/book/salida-river-co/${id}`, { form, address: "192.0.2.7" })).status, 303)
    assert.strictEqual((await book("192.0.2.7")).status, 429)
  })

  it("can book at most a quarter of a departure's seats across networks", async () => {
    for (const [capacity, most] of [[10, 2], [24, 6], [40, 10]] as const) {
      const session = await departure(capacity)
      for (let at = 0; at < most; at++) {
        assert.strictEqual((await book(`192.0.${session}.${at}`, 1, {}, session)).status, 303)
      }
      assert.strictEqual((await book(`192.0.${session}.99`, 1, {}, session)).status, 429)
      assert.strictEqual((await book(undefined, 1, {}, session)).status, 429)
      assert.strictEqual((await book(`192.0.${session}.99`)).status, 303)
    }
    await world.call("bookings.create", {
      offering_id: raft,
      session_id: sessions[21],
      quantity: 10,
      customer: {
        email: "bo@example.com"
      }
    })
  })

  it("can book again from the same network after 24 hours", async () => {
    for (let at = 0; at < 7; at++) await book("192.0.2.7", 1, {}, at)
    assert.strictEqual(await seats(), 6)
    world.set("2027-05-02T14:00:00Z")
    assert.strictEqual(await world.forgetNetworks(), 6)
    assert.strictEqual(await world.forgetNetworks(), 0)
    assert.strictEqual((await book("192.0.2.7", 1, {}, 7)).status, 303)
    assert.notInclude(JSON.stringify(await world.tables()), "192.0.2")
  })

  it("cannot book under a name that contains a web address", async () => {
    const names = ["www.evil.example", "Visit evil.example now", "http://evil", "Ada evil。example", "ada@evil.example"]
    for (const name of names) {
      const { html, status } = await book("192.0.2.7", 1, { name })
      assert.deepStrictEqual([status, html.includes("without a web address")], [422, true], name)
    }
    for (const name of ["Dr. Ada King", "J.R.R. Tolkien", "Anne-Marie O’Neil Jr.", "山田太郎"]) {
      assert.strictEqual((await book("192.0.2.7", 1, { name })).status, 303, name)
    }
    await world.call("customers.upsert", { email: "eve@example.com", name: names[0] })
  })
})

describe("a guest who opens the emailed link", () => {
  it("can book again from the same network", async () => {
    for (let at = 0; at < 6; at++) await book("192.0.2.7", 1, {}, at)
    const [first] = await bookings()
    assert.strictEqual((await book("192.0.2.7", 1, {}, 7)).status, 429)
    const path = `/b/${first?.handle}`
    const link = await world.mailed(first?.id ?? "")
    // Opening the link must not change anything, because mail scanners also open links.
    const before = await world.tables()
    assert.include((await world.ask(`${path}?mailed=${link}`)).html, `data-mailed="${path}/mailed"`)
    assert.strictEqual(await world.tables(), before)
    assert.strictEqual((await world.ask(`${path}/mailed`, { form: { link: "0".repeat(40) } })).status, 401)
    assert.strictEqual((await book("192.0.2.7", 1, {}, 7)).status, 429)
    assert.strictEqual((await world.ask(`${path}/mailed`, { form: { link } })).status, 303)
    assert.strictEqual((await book("192.0.2.7", 1, {}, 7)).status, 303)
  })
})

describe("the confirm_email setting", () => {
  const holdBooking = async (lang = "en") => {
    await world.call("org.update", { confirm_email: true })
    const { headers, status } = await world.ask(`/book/salida-river-co/${raft}?lang=${lang}`, {
      form: { name: "Ada", email: "ada@example.com", slot: sessions[0] ?? "", quantity: "2", shown: "now" }
    })
    assert.strictEqual(status, 303)
    const [booking] = await bookings()
    assert.strictEqual(booking?.status, "held")
    return { id: booking?.id ?? "", handle: booking?.handle ?? "", to: headers.get("location") ?? "" }
  }

  it("holds the spot until the guest confirms by email", async () => {
    const { handle, id, to } = await holdBooking()
    assert.include((await world.ask(to)).html, "Check your email to confirm.")
    const link = await world.mailed(id)
    const page = await world.ask(`/b/${handle}?mailed=${link}`)
    assert.include(page.html, "Confirm your booking to keep your spot.")
    assert.strictEqual((await bookings())[0]?.status, "held")
    for (const _ of [1, 2]) {
      const { headers, status } = await world.ask(`/b/${handle}/mailed`, { form: { link } })
      assert.strictEqual(status, 303)
      assert.include((await world.ask(headers.get("location") ?? "")).html, "Your booking is confirmed.")
    }
    assert.strictEqual((await bookings())[0]?.status, "confirmed")
  })

  it("shows the confirmation pages in Spanish", async () => {
    const { handle, id, to } = await holdBooking("es")
    assert.include((await world.ask(`${to}&lang=es`)).html, "Revise su correo para confirmar.")
    const { html } = await world.ask(`/b/${handle}?lang=es&mailed=${await world.mailed(id)}`)
    assert.include(html, "Confirmar reserva")
  })

  it("releases an unconfirmed spot after 30 minutes", async () => {
    const { handle, id } = await holdBooking()
    const link = await world.mailed(id)
    world.set("2027-05-01T14:30:00Z")
    for (let at = 0; at < 2; at++) {
      await world.call("bookings.create", {
        offering_id: raft,
        session_id: sessions[0],
        quantity: 10,
        customer: { email: "bo@example.com" }
      })
    }
    await world.call("bookings.create", {
      offering_id: raft,
      session_id: sessions[0],
      quantity: 4,
      customer: { email: "bo@example.com" }
    })
    assert.strictEqual((await world.ask(`/b/${handle}/mailed`, { form: { link } })).status, 409)
    assert.strictEqual((await bookings()).find((one) => one.id === id)?.status, "held")
  })

  it("does not apply to bookings made through the API", async () => {
    await world.call("org.update", { confirm_email: true })
    const customer = { email: "ada@example.com" }
    const booking = await world.call("bookings.create", { offering_id: raft, session_id: sessions[0], customer })
    assert.strictEqual(booking["status"], "confirmed")
  })
})
