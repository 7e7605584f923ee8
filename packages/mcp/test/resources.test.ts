/** Tests that resources, prompts, and completions are current and limited to the caller's own outfitter. */
import { assert, beforeAll, describe, it } from "vitest"
import { connectV1, connectV2 } from "./Clients.ts"
import { type Answer, type World, world } from "./World.ts"

interface Stock {
  readonly kayak: Answer
  readonly raft: Answer
  readonly session: Answer
  readonly booking: Answer
  readonly hold: Answer
}

/** Creates a raft trip with a guest and a hold, and a two-day kayak rental. */
const stockWorld = async (here: World): Promise<Stock> => {
  const kayak = await here.call("offerings.create", { name: "Touring Kayak", kind: "rental", capacity: 2 })
  const raft = await here.call("offerings.create", { name: "Browns Canyon Half Day", kind: "class", capacity: 8 })
  const { data: [session] } = await here.call("sessions.create", {
    offering_id: raft.id,
    starts_at: "2027-06-05T16:00:00Z"
  })
  const seat = (email: string, name: string, rest: object) =>
    here.call("bookings.create", { offering_id: raft.id, session_id: session?.id, customer: { email, name }, ...rest })
  const booking = await seat("ann@example.com", "Ann Lee", { quantity: 2, notes: "No swimmers" })
  const hold = await seat("bob@example.com", "Bob", { hold_minutes: 60 })
  const cancelledBooking = await seat("cy@example.com", "Cy", {})
  await here.call("bookings.cancel", { id: cancelledBooking.id })
  await here.call("bookings.create", {
    offering_id: kayak.id,
    starts_at: "2027-06-06T15:00:00Z",
    periods: 2,
    customer: { email: "ann@example.com" }
  })
  await here.call("offerings.create", { name: "Fjord Kayak", kind: "rental" }, here.neighbor)
  await here.call("customers.upsert", { email: "ann@example.no", name: "Ann Lie" }, here.neighbor)
  return { kayak, raft, session: session as Answer, booking, hold }
}

describe("resources and prompts", () => {
  let here: World
  let stock: Stock
  beforeAll(async () => {
    here = await world()
    stock = await stockWorld(here)
  })

  const readResource = async (uri: string): Promise<Answer> => {
    const { contents: [content] } = await (await connectV1(here)).readResource({ uri })
    assert.deepInclude(content, { uri, mimeType: "application/json" })
    return JSON.parse(content !== undefined && "text" in content ? content.text : "")
  }

  it("show disputes in schedule resources and prompts", async () => {
    const ownWorld = await world()
    const { booking, raft } = await stockWorld(ownWorld)
    await ownWorld.pay(booking.id)
    await ownWorld.dispute(booking.id)
    const client = await connectV1(ownWorld)
    const { contents: [content] } = await client.readResource({ uri: "trailbook://days/2027-06-05" })
    const { days: [day] } = JSON.parse(content !== undefined && "text" in content ? content.text : "")
    const { guests } = day.trips.find(({ offering_id }: Answer) => offering_id === raft.id)
    assert.deepStrictEqual(guests.map(({ dispute }: Answer) => dispute), ["open", undefined])
    for (const name of ["morning_brief", "plan_week"]) {
      const { messages: [order] } = await client.getPrompt({ name, arguments: { date: "2027-06-05" } })
      assert.include(JSON.stringify(order), "disputed")
    }
  })

  it("list a few resources, and templates for all others", async () => {
    const client = await connectV1(here)
    const { resources } = await client.listResources()
    assert.deepStrictEqual(
      resources.map(({ uri }) => uri),
      ["org", "today", "week", "offerings"].map((name) => `trailbook://${name}`)
    )
    for (const { uri } of resources) await readResource(uri)
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepStrictEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace("trailbook://", "")),
      ["days/{date}", "weeks/{date}", "offerings/{offering}", "bookings/{booking}", "customers/{customer}"]
    )
  })

  it("show today's trips with local times, guests, and seats", async () => {
    assert.deepStrictEqual<unknown>(await readResource("trailbook://today"), {
      outfitter: "Salida River Co.",
      timezone: "America/Denver",
      now: "Sat 2027-06-05 08:00",
      days: [{
        date: "Sat 2027-06-05",
        trips: [{
          time: "10:00-12:00",
          offering: "Browns Canyon Half Day",
          offering_id: stock.raft.id,
          session_id: stock.session.id,
          booked: 3,
          capacity: 8,
          left: 5,
          held: 1,
          guests: [
            {
              booking_id: stock.booking.id,
              reference: stock.booking.reference,
              quantity: 2,
              status: "confirmed",
              guest_wrote: { name: "Ann Lee", notes: "No swimmers" }
            },
            {
              booking_id: stock.hold.id,
              reference: stock.hold.reference,
              quantity: 1,
              status: "held",
              guest_wrote: { name: "Bob" }
            }
          ]
        }]
      }]
    })
  })

  it("show the seven days starting on the requested date", async () => {
    const week = await readResource("trailbook://weeks/2027-06-06")
    const days = week.days as ReadonlyArray<{ date: string; trips: ReadonlyArray<{ time: string; offering: string }> }>
    assert.deepStrictEqual(days.map(({ date }) => date.slice(0, 3)), ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    assert.deepStrictEqual(
      days.flatMap(({ trips }) => trips.map(({ offering, time }) => [offering, time])),
      [["Touring Kayak", "09:00 until Tue 2027-06-08 09:00"]]
    )
  })

  it("can be read by ID, reference, or suggested label", async () => {
    const booking = await readResource(`trailbook://bookings/${stock.booking.id}`)
    assert.deepStrictEqual(booking, await readResource(`trailbook://bookings/ann-lee~${stock.booking.id}`))
    assert.deepStrictEqual(booking, await readResource(`trailbook://bookings/${String(stock.booking.reference)}`))
    assert.strictEqual(booking.reference, stock.booking.reference)
    assert.strictEqual((await readResource(`trailbook://offerings/${stock.kayak.id}`)).name, "Touring Kayak")
    const [guest] = (await here.call("customers.list", { q: "ann" })).data
    assert.lengthOf((await readResource(`trailbook://customers/${guest?.id}`)).bookings as Array<unknown>, 2)
  })

  it("report another outfitter's resource as missing", async () => {
    const foreignId = (await here.call("offerings.list", {}, here.neighbor)).data[0]?.id
    const nowhere = [
      "nothing",
      "days/",
      "org/1",
      "constructor",
      `offerings/${foreignId}`,
      `offerings/${crypto.randomUUID()}`,
      "days/2027-02-30",
      "bookings/%ff"
    ]
    for (const name of nowhere) {
      const uri = `trailbook://${name}`
      const code = name === "days/2027-02-30" ? -32_602 : -32_002
      const failure: unknown = await (await connectV1(here)).readResource({ uri }).catch((error: unknown) => error)
      assert.deepInclude(failure, { code }, uri)
      const new_: unknown = await (await connectV2(here)).readResource({ uri }).catch((error: unknown) => error)
      assert.deepInclude(new_, { code: -32_602 }, uri)
    }
  })

  it("combine instructions with current data in prompts", async () => {
    const client = await connectV1(here)
    const { prompts } = await client.listPrompts()
    assert.deepStrictEqual(prompts.map(({ name }) => name), ["morning_brief", "plan_week", "find_a_place"])
    const brief = await client.getPrompt({ name: "morning_brief" })
    assert.deepInclude(brief.messages[1]?.content, { type: "resource" })
    assert.include(JSON.stringify(brief.messages[1]?.content), String(stock.booking.reference))
    const week = await client.getPrompt({ name: "plan_week", arguments: { date: "2027-06-06" } })
    assert.include(JSON.stringify(week), "trailbook://weeks/2027-06-06")
    assert.include(JSON.stringify(await client.getPrompt({ name: "plan_week" })), "trailbook://week\"")
  })

  it("show the availability for a given party size", async () => {
    const client = await connectV1(here)
    const find = async (input: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name: "find_a_place", arguments: input })
      const content = messages[1]?.content
      return JSON.parse(content?.type === "text" ? content.text : "").offerings as ReadonlyArray<Answer>
    }
    const seats = { time: "Sat 2027-06-05 10:00", remaining: 5, session_id: stock.session.id }
    const [raft, ...others] = await find({ people: "5", what: "browns" })
    assert.deepStrictEqual(raft?.free, [seats])
    assert.lengthOf(others, 0)
    // Fewer than six seats are left, and no kayak fits six people.
    assert.deepStrictEqual((await find({ people: "6" })).flatMap(({ free }) => free), [])
    const kayak = (await find({ people: "1", what: "kayak" }))[0]?.free as ReadonlyArray<{ time: string }>
    assert.deepStrictEqual(kayak[0]?.time, "Sat 2027-06-05 09:00")
  })

  it("refuse an invalid prompt argument", async () => {
    const client = await connectV1(here)
    const wrong = [
      { name: "find_a_place", arguments: { people: "two" } },
      { name: "find_a_place", arguments: { date: "today" } },
      { name: "morning_brief", arguments: { date: "2027-13-01" } },
      { name: "morning_brief", arguments: { people: "2" } },
      { name: "weather_call", arguments: {} }
    ]
    for (const request of wrong) {
      const error: unknown = await client.getPrompt(request).catch((error: unknown) => error)
      assert.deepInclude(error, { code: -32_602 }, JSON.stringify(request))
    }
  })

  it("suggest at most twenty completions from the outfitter's data", async () => {
    const client = await connectV1(here)
    const complete = async (uri: string, name: string, value: string) => {
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: `trailbook://${uri}` },
        argument: { name, value }
      })
      return completion.values
    }
    assert.deepStrictEqual(await complete("offerings/{offering}", "offering", "kay"), [
      `touring-kayak~${stock.kayak.id}`
    ])
    const reference = String(stock.booking.reference)
    const [entry = ""] = await complete("bookings/{booking}", "booking", reference.toLowerCase().slice(0, 5))
    assert.strictEqual(entry, `${reference.toLowerCase()}-ann-lee~${stock.booking.id}`)
    await readResource(`trailbook://bookings/${entry}`)
    assert.lengthOf(await complete("customers/{customer}", "customer", "ann"), 1)
    assert.deepStrictEqual(
      await complete("days/{date}", "date", "2027-06-1"),
      Array.from({ length: 9 }, (_, day) => `2027-06-1${day}`)
    )
    const completions = await client.complete({
      ref: { type: "ref/prompt", name: "find_a_place" },
      argument: { name: "what", value: "" }
    })
    assert.deepStrictEqual(completions.completion.values.toSorted(), ["Browns Canyon Half Day", "Touring Kayak"])
    for (let at = 0; at < 25; at++) await here.call("offerings.create", { name: `Canoe ${at}`, kind: "rental" })
    assert.lengthOf(await complete("offerings/{offering}", "offering", "canoe"), 20)
    const error: unknown = await complete("offerings/{offering}", "booking", "").catch((error: unknown) => error)
    assert.deepInclude(error, { code: -32_602 })
  })

  it("are hidden from a client without read access", async () => {
    const actor = here.caller({ scopes: ["write"] }).actor
    const client = await connectV1(here, { actor })
    assert.lengthOf((await client.listResources()).resources, 0)
    assert.lengthOf((await client.listPrompts()).prompts, 0)
    const error: unknown = await client.readResource({ uri: "trailbook://org" }).catch((error: unknown) => error)
    assert.deepInclude(error, { code: -32_002 })
  })
})
