/**
 * Tests applications without guest access, and keys without `write`. Tries every operation, resource, template, prompt,
 * and completion. No response may contain a guest's data or open a guest's page.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Actor, type ApiKeyScope, makeHostActor } from "@trailbook/core/actor"
import { BookingStore } from "@trailbook/core/booking"
import { operations } from "@trailbook/core/layer"
import { Grants, toCodeChallenge } from "@trailbook/core/oauth"
import { Registry, requiresGuestAccess } from "@trailbook/core/operation"
import { isReadOnly, toToolName } from "@trailbook/core/operation/Operation"
import { Ids, UnitOfWork } from "@trailbook/core/port"
import { StaffMembers } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { staffTools } from "@trailbook/mcp/staff/staffTools"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type World } from "./World.ts"

const guest = { email: "canary@canary.example", name: "Canary Quill", phone: "+1 719 555 0142" }
// Do not match "0142" everywhere, because random IDs may also contain these four digits.
const words = /canary|quill|555\D?0142|(?<![\w.-])0142(?![\w-])/i
const checkoutUrl = "https://pay.example/checkout-1"

interface Json {
  readonly id: string
  readonly [field: string]: unknown
  readonly data: ReadonlyArray<Json>
}

interface Stock {
  readonly offering: string
  readonly session: string
  readonly booking: Json
  readonly hold: Json
  readonly reply: string
  readonly closure: string
  readonly discount: string
  readonly payment: string
  readonly conversation: string
}

let world: World
let stock: Stock

const call = (
  name: string,
  input: object,
  actor: Actor["Type"] = makeHostActor({ orgId: world.here.id })
): Promise<Json> =>
  world.run(
    Effect.flatMap(Registry, ({ run }) => run(name, input)).pipe(Effect.provideService(Actor, actor))
  ) as Promise<Json>

beforeAll(async () => {
  world = await open()
  const offering = await call("offerings.create", { name: "Raft", kind: "class", price_cents: 100, capacity: 50 })
  const { data: [session] } = await call("sessions.create", {
    offering_id: offering.id,
    starts_at: "2027-06-06T15:00:00Z"
  })
  const seat = { offering_id: offering.id, session_id: session?.id, customer: guest, notes: "canary" }
  const booking = await call("bookings.create", seat)
  const hold = await call("bookings.create", { ...seat, hold_minutes: 60 })
  await world.run(Effect.gen(function*() {
    const store = yield* BookingStore
    const { run } = yield* UnitOfWork
    const key = { orgId: world.here.id, id: hold.id }
    yield* run(Effect.gen(function*() {
      const [record] = yield* store.lock([key])
      if (record?.booking.status !== "held") return yield* Effect.dieMessage("The hold is missing.")
      yield* store.put([{ ...record.booking, checkoutUrl }])
    }))
  }))
  const closure = await call("closures.create", {
    from_date: "2099-06-08",
    to_date: "2099-06-09",
    reason: "High water"
  })
  const payment = await call("payments.record", { id: booking.id, method: "cash", amount_cents: 40, note: "canary" })
  const discount = await call("discounts.create", { code: "SPRING", percent_bps: 1000 })
  const reply = await call("saved_replies.create", {
    title: "Hello",
    body: "Hi {first_name}, see you {start_time} for {offering}: {booking_link}"
  })
  const message = await call("messages.send", {
    booking_id: booking.id,
    body: `Hi Quill, your booking: ${world.root}/b/${String(booking.handle)}`
  })
  stock = {
    offering: offering.id,
    session: session?.id ?? "",
    booking,
    hold,
    reply: reply.id,
    closure: closure.id,
    discount: discount.id,
    payment: payment.id,
    conversation: String(message.conversation_id)
  }
})
afterAll(() => world.close())

const connect = async (scopes: ReadonlyArray<ApiKeyScope>, personal: boolean, query = "") => {
  const token = await world.run(Effect.gen(function*() {
    const grants = yield* Grants
    const ids = yield* Ids
    const { id: orgId } = world.here
    const [owner] = yield* (yield* StaffMembers).list(orgId)
    const verifier = "v".repeat(43)
    const redirectUri = "https://a.example/cb"
    const at = Instant.make(0)
    const code = yield* grants.approve({
      orgId,
      staffId: owner?.id ?? "",
      application: { clientId: "app", name: "", redirectUris: [redirectUri], createdAt: at, readAt: at },
      request: {
        clientId: "app",
        redirectUri,
        state: undefined,
        challenge: toCodeChallenge(ids, verifier),
        scopes,
        resource: `${world.root}/mcp`
      },
      scopes,
      personal
    })
    return (yield* grants.redeem({ code, clientId: "app", redirectUri, verifier })).accessToken
  }))
  const client = new Client({ name: "test", version: "1" })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.root}/mcp${query}`), { requestInit }))
  return client
}

/** Returns an input for each operation that such an application can call. */
const inputs = (): Readonly<Record<string, ReadonlyArray<object>>> => {
  const { booking, closure, conversation, discount, hold, offering, payment, reply, session } = stock
  const id = offering
  return {
    "availability.get": [{ id }],
    "offerings.list": [{}],
    "offerings.get": [{ id }],
    "offerings.get_hours": [{ id }],
    "offerings.create": [{ name: "Canoe", kind: "rental" }],
    "offerings.update": [{ id, location: "Put-in" }],
    "offerings.set_hours": [{ id, hours: [] }],
    "offerings.set_photos": [{ id, photos: [] }],
    "offerings.delete": [{ id }, { id, cancel_bookings: true }],
    "sessions.list": [{}, { offering_id: id }],
    "sessions.create": [{ offering_id: id, starts_at: "2027-06-07T15:00:00Z" }],
    "sessions.update": [{ id: session, notes: "Guide: Ray" }],
    "sessions.plan": [{ id, weekdays: [1], times: ["09:00"], from_date: "2099-06-01", to_date: "2099-06-08" }],
    "sessions.cancel": [{ id: session }],
    "automations.list": [{}],
    "forecast.get": [{ days: 14 }],
    "automations.update": [{ automation: "fill", dial: "ask" }],
    "closures.list": [{}],
    "closures.create": [{ from_date: "2099-06-08", to_date: "2099-06-09", reason: "Smoke" }],
    "closures.delete": [{ id: closure }],
    "assistants.activity": [{}],
    "discounts.list": [{}],
    "discounts.create": [{ code: "FALL", cents: 500 }],
    "discounts.update": [{ id: discount, active: false }],
    "discounts.delete": [{ id: discount }],
    "saved_replies.list": [{}, { booking_id: booking.id }, { conversation_id: conversation }],
    "saved_replies.create": [{ title: "Bye", body: "Bye {first_name}" }],
    "saved_replies.update": [{ id: reply, title: "Hello again" }],
    "saved_replies.delete": [{ id: reply }],
    "org.get": [{}],
    "org.update": [{ name: "Salida" }],
    "billing.get": [{}],
    "bookings.list": [{}, { order: "desc" }, { session_id: session }, { status: "held" }],
    "bookings.get": [{ id: booking.id }, { id: hold.id }],
    "bookings.quote": [{ offering_id: id, session_id: session }, { booking_id: booking.id }],
    "bookings.create": [{ offering_id: id, session_id: session, customer: guest, hold_minutes: 30 }],
    "bookings.confirm": [{ id: hold.id }],
    "bookings.move": [{ id: booking.id, session_id: session }],
    "bookings.update": [{ id: booking.id, notes: "canary", adjustments: [{ name: "canary", cents: 5 }] }],
    "bookings.resend": [{ id: booking.id }],
    "bookings.check_in": [{ id: booking.id }],
    "bookings.mark_no_show": [{ id: booking.id }],
    "bookings.clear_attendance": [{ id: booking.id }],
    "payments.list": [{}, { booking_id: booking.id }],
    "payments.record": [{ id: booking.id, method: "cash", amount_cents: 10, note: "canary" }],
    "payments.refund": [{ id: booking.id, method: "cash", amount_cents: 10, note: "canary" }],
    "payments.request": [{ id: booking.id }],
    "payments.void": [{ id: payment }],
    "reports.sales": [{ from: "2027-05-01", to: "2027-05-31" }],
    "reports.payments": [{ from: "2027-05-01", to: "2027-05-31" }],
    "reports.occupancy": [{ from: "2027-05-01", to: "2027-05-31" }],
    "reports.guests": [{ from: "2027-05-01", to: "2027-05-31" }],
    "bookings.cancel": [{ id: booking.id }],
    "bookings.restore": [{ id: booking.id }]
  }
}

/** Returns the responses to all requests that a client can send. */
const responses = async (client: Client, scopes: ReadonlyArray<ApiKeyScope>) => {
  const texts: Array<readonly [string, string]> = []
  const add = (what: string, response: unknown) => texts.push([what, JSON.stringify(response)])
  add("instructions", client.getInstructions())
  const { tools } = await client.listTools()
  add("tools/list", tools)
  // Operations that end a resource run last, so that the other operations still find it.
  const ends = (name: string) =>
    /delete|cancel|restore/.test(name) ? 2 : /create|update|set|confirm|move/.test(name) ? 1 : 0
  const calls = Object.entries(inputs())
    .filter(([name]) => scopes.includes(operations.find((one) => one.name === name)?.scope as ApiKeyScope))
    .toSorted(([a], [b]) => ends(a) - ends(b))
  const addResources = async () => {
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const ids: Readonly<Record<string, string>> = {
      date: "2027-06-06",
      offering: stock.offering,
      booking: stock.booking.id,
      customer: String(stock.booking.customer_id)
    }
    for (const { uri } of resources) add(uri, await client.readResource({ uri }))
    const templates = new Set([
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      "trailbook://customers/{customer}"
    ])
    for (const template of templates) {
      const uri = template.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "")
      add(uri, await client.readResource({ uri }).catch((error: unknown) => String(error)))
    }
    for (const { arguments: promptArguments = [], name } of (await client.listPrompts()).prompts) {
      add(name, await client.getPrompt({ name }))
      for (const argument of promptArguments) {
        add(`${name} ${argument.name}`, await completed(client, { prompt: name }, argument))
      }
    }
    for (const template of templates) {
      const [, name = ""] = /\{(\w+)\}/.exec(template) ?? []
      add(template, await completed(client, { template }, { name }))
    }
  }
  await addResources()
  for (const [name, inputs] of calls) {
    for (const input of inputs) {
      const response = await client.callTool({ name: name.replaceAll(".", "_"), arguments: { ...input } })
      assert.notMatch(JSON.stringify(response), /invalid_request|forbidden/, `${name} ${JSON.stringify(input)}`)
      add(name, response)
    }
  }
  return texts
}

const completed = (
  client: Client,
  of: { readonly prompt: string } | { readonly template: string },
  { name }: { readonly name: string },
  value = ""
): Promise<unknown> =>
  client.complete({
    ref: "prompt" in of ? { type: "ref/prompt", name: of.prompt } : { type: "ref/resource", uri: of.template },
    argument: { name, value }
  }).then(({ completion }) => completion, (error: unknown) => String(error))

describe("an application without guest access", () => {
  it("cannot list or call the guest tools", async () => {
    const client = await connect(["read", "write", "admin"], false, "?list=all")
    const names = (await client.listTools()).tools.map(({ name }) => name)
    const expected = operations.filter(({ name }) => !requiresGuestAccess(name))
    const desk = staffTools.map(({ operation }) => operation).filter(({ name }) => !requiresGuestAccess(name))
    assert.sameMembers(names, [...desk, ...expected].map(toToolName))
    assert.sameMembers(
      Object.keys(inputs()),
      operations.filter(({ name }) => !requiresGuestAccess(name)).map(({ name }) => name)
    )
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    assert.notInclude(templates, "trailbook://customers/{customer}")
    for (const operation of operations.filter(({ name }) => requiresGuestAccess(name))) {
      const refusal = JSON.stringify(await client.callTool({ name: toToolName(operation), arguments: {} }))
      assert.include(refusal, "forbidden", operation.name)
      assert.notMatch(refusal, words)
    }
    await client.close()
  })

  it("cannot learn from desk_find whether a guest matches", async () => {
    const client = await connect(["read"], false)
    for (
      const [match, miss] of [[guest.email, "absent@absent.example"], ["Quill", "Quell"], ["95550142", "95550143"]]
    ) {
      const search = async (q = "") =>
        JSON.stringify(await client.callTool({ name: "desk_find", arguments: { q } })).replaceAll(q, "")
      assert.strictEqual(await search(match), await search(miss))
    }
    const day = JSON.stringify(await client.callTool({ name: "desk_find", arguments: { q: "sunday" } }))
    assert.notMatch(day, words)
    await client.close()
  })

  it.each([
    ["bookings.list", "q", guest.email, "absent@absent.example"],
    ["bookings.list", "q", "cana", "abse"],
    ["bookings.list", "q", "Quill", "Quell"],
    ["bookings.list", "q", "0142", "0143"],
    ["bookings.list", "q", "95550142", "95550143"],
    ["bookings.list", "q", "719 555 01", "719 555 02"]
  ])(
    "cannot learn from %s whether a guest matches: %s=%s or %s",
    async (name, field, match, miss) => {
      const client = await connect(["read"], false)
      const search = async (guess: string) =>
        JSON.stringify(await client.callTool({ name: toToolName({ name }), arguments: { [field]: guess, limit: 1 } }))
          .replaceAll(guess, "…")
      assert.strictEqual(await search(match), await search(miss))
      await client.close()
    }
  )

  it("is tested with every field that filters by guest", () => {
    const filters = operations.filter((operation) => isReadOnly(operation) && !requiresGuestAccess(operation.name))
      .flatMap(({ input: { fields }, name }) => Object.keys(fields).map((field) => `${name} ${field}`))
      .filter((field) => / (q|customer_id|email|name|phone)$/.test(field))
    assert.sameMembers(filters, ["bookings.list q", "bookings.list customer_id"])
  })

  it("cannot filter bookings by customer ID", async () => {
    const client = await connect(["read"], false)
    const list = async (input: object) =>
      JSON.stringify(await client.callTool({ name: "bookings_list", arguments: { ...input } }))
    const refusal = await list({ customer_id: stock.booking.customer_id })
    assert.include(refusal, "forbidden")
    assert.strictEqual(refusal, await list({ customer_id: randomUUID() }))
    const reference = String(stock.booking.reference)
    for (const q of [reference, `${reference.slice(0, 4).toLowerCase()}-${reference.slice(4)}`]) {
      const rows = await list({ q })
      assert.include(rows, stock.booking.id)
      assert.notInclude(rows, stock.hold.id)
    }
    await client.close()
  })

  it("cannot learn from completions whether a guest matches", async () => {
    const client = await connect(["read"], false)
    for (
      const [match, miss] of [["canary", "absent"], ["quill", "quell"], ["0142", "0143"], [guest.email, "a@b.example"]]
    ) {
      for (const template of ["bookings/{booking}", "customers/{customer}", "offerings/{offering}", "days/{date}"]) {
        const [, name = ""] = /\{(\w+)\}/.exec(template) ?? []
        const of = { template: `trailbook://${template}` }
        assert.deepStrictEqual(
          await completed(client, of, { name }, match),
          await completed(client, of, { name }, miss)
        )
      }
      for (const { arguments: promptArguments = [], name } of (await client.listPrompts()).prompts) {
        for (const argument of promptArguments) {
          const of = { prompt: name }
          assert.deepStrictEqual(
            await completed(client, of, argument, match),
            await completed(client, of, argument, miss)
          )
        }
      }
    }
    await client.close()
  })

  it("cannot learn from a booking whether a guest already exists", async () => {
    const client = await connect(["read", "write"], false)
    const order = { offering_id: stock.offering, session_id: stock.session, hold_minutes: 30 }
    const book = async (customer: object) => {
      const response = await client.callTool({ name: "bookings_create", arguments: { ...order, customer } })
      const data = response.structuredContent as Record<string, unknown>
      const { id: _id, reference: _reference, ...rest } = data
      return JSON.stringify(rest)
    }
    // Another assistant has already made the same request.
    await call(
      "bookings.create",
      { ...order, customer: { email: guest.email } },
      makeHostActor({
        orgId: world.here.id,
        source: "mcp"
      })
    )
    await world.pass(1000)
    assert.strictEqual(await book({ email: guest.email }), await book({ email: "absent@absent.example" }))
    await client.close()
  })

  it("receives saved replies with unresolved guest variables", async () => {
    const client = await connect(["read"], false)
    for (const subject of [{ booking_id: stock.booking.id }, { conversation_id: stock.conversation }]) {
      const response = await client.callTool({ name: "saved_replies_list", arguments: { ...subject } })
      const { data } = response.structuredContent as { readonly data: ReadonlyArray<{ readonly text: string }> }
      assert.match(data[0]?.text ?? "", /^Hi \{first_name\}, see you Sun, .* for Raft: \{booking_link\}$/)
    }
    await client.close()
  })
})

describe("an API key without the write scope", () => {
  const reader = (scopes: ReadonlyArray<ApiKeyScope> = ["read"]) => makeHostActor({ orgId: world.here.id, scopes })

  it("cannot read booking handles or checkout links", async () => {
    await world.pass(5000)
    const { booking, conversation } = stock
    const reads = Object.entries({
      "bookings.get": { id: booking.id },
      "bookings.list": { q: "canary quill" },
      "events.list": {},
      "customers.get": { id: booking.customer_id },
      "conversations.get": { id: conversation },
      "messages.list": { booking_id: booking.id },
      "org.export": {}
    })
    for (const [name, input] of reads) {
      const response = JSON.stringify(await call(name, input, reader(["read", "admin"])))
      assert.match(response, words, name)
      assert.notInclude(response, String(booking.handle), name)
      assert.notInclude(response, String(stock.hold.handle), name)
      assert.notInclude(response, checkoutUrl, name)
    }
    const view = await call("bookings.get", { id: booking.id }, reader())
    assert.deepStrictEqual(view, { ...await call("bookings.get", { id: booking.id }), handle: "" } as object as Json)
    const { data: [reply] } = await call("saved_replies.list", { booking_id: booking.id }, reader())
    assert.match(String(reply?.text), /^Hi Canary, see you .*: \{booking_link\}$/)
  })
})

describe("the write scope", () => {
  it("lets API keys read booking handles, and applications call every tool", async () => {
    const { booking } = stock
    assert.strictEqual((await call("bookings.get", { id: booking.id })).handle, booking.handle)
    const client = await connect(["read", "write", "admin"], true, "?list=all")
    assert.strictEqual((await client.listTools()).tools.length, operations.length + staffTools.length)
    assert.match(JSON.stringify(await client.callTool({ name: "customers_list", arguments: {} })), words)
    const { id } = booking
    assert.match(JSON.stringify(await client.callTool({ name: "bookings_get", arguments: { id } })), words)
    await client.close()
  })
})

// These tests run last, because operations that delete or cancel would change the other tests' resources.
describe("an application without guest access", () => {
  it.each([[["read"]], [["read", "write", "admin"]]] as ReadonlyArray<[ReadonlyArray<ApiKeyScope>]>)(
    "never receives guest data with the scopes %j",
    async (scopes) => {
      const client = await connect(scopes, false)
      const texts = await responses(client, scopes)
      assert.isAbove(texts.length, 25)
      assert.isTrue(texts.some(([, text]) => text.includes(stock.booking.id)))
      for (const [what, text] of texts) {
        assert.notMatch(text, words, what)
        for (const secret of [stock.booking.handle, stock.hold.handle, stock.booking.customer_id, checkoutUrl]) {
          assert.notInclude(text, String(secret), what)
        }
      }
      await client.close()
    }
  )
})
