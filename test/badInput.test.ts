/**
 * Sends invalid input for each field of each operation, derived from the declarations. Each response must be a 400 that
 * names the field, nothing may change, and no request may get a 5xx response.
 */
import { operations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type DeclaredField, fieldsOf } from "./input/fields.ts"
import { valuesAtBounds, wrongInQuery, wrongValues } from "./input/wrongValues.ts"
import { sample } from "./runs.ts"
import type { Answer, Client } from "./served/Client.ts"
import { serve, type TestServer } from "./served/serve.ts"

const info = { bring: "A towel.", requirements: "Swim.", min_age: 8, waiver_url: "https://example.com/waiver" }
const prices = {
  rates: [{ id: "adult", name: "Adult", price_cents: 9500, places: 1, needs_any_of: [] }],
  extras: [{ id: "wetsuit", name: "Wetsuit", price_cents: 1500, per: "place" }]
}
const choices = {
  party: [{ rate_id: "adult", quantity: 2 }],
  extras: [{ extra_id: "wetsuit", quantity: 1 }],
  adjustments: [{ name: "Late return", cents: 1500 }]
}

const cancellation_policy = { steps: [{ until_hours: 48, keep_bps: 2500 }], text: "Free until then." }

/** A valid input for each operation. Its IDs match no resource, and missing path parameters get random IDs. */
const wellFormed: Record<string, Record<string, unknown>> = {
  "offerings.create": {
    name: "Browns Canyon",
    kind: "class",
    lat: 38.5,
    lon: -106,
    pricing: prices,
    info,
    cancellation_policy
  },
  "offerings.update": { lat: 38.5, lon: -106, pricing: prices, info, cancellation_policy },
  "offerings.set_hours": { hours: [{ weekday: 1, start_time: "09:00", end_time: "17:00" }] },
  "offerings.set_photos": { photos: [{ id: randomUUID(), alt: "A raft" }] },
  "sessions.create": { offering_id: randomUUID(), starts_at: "2027-05-01T15:00:00Z" },
  "bookings.create": { offering_id: randomUUID(), customer: { email: "guest@example.com" }, ...choices },
  "bookings.quote": { offering_id: randomUUID(), ...choices },
  "bookings.update": choices,
  "bookings.move": { starts_at: "2027-05-01T15:00:00Z" },
  "reports.sales": { from: "2027-05-01", to: "2027-05-31" },
  "reports.payments": { from: "2027-05-01", to: "2027-05-31" },
  "reports.occupancy": { from: "2027-05-01", to: "2027-05-31" },
  "reports.guests": { from: "2027-05-01", to: "2027-05-31" },
  "customers.upsert": { email: "guest@example.com" },
  "messages.send": {
    customer_id: randomUUID(),
    body: "Bring a towel.",
    attachments: [{ id: randomUUID(), name: "map.pdf" }]
  },
  "messages.broadcast": { target: { date: "2027-05-01" }, body: "The river is high." },
  "messages.draft": { conversation_id: randomUUID() },
  "sessions.plan": {
    weekdays: [1],
    times: ["09:00"],
    from_date: "2099-06-01",
    to_date: "2099-06-08",
    except_dates: ["2099-06-02"]
  },
  "payments.record": { method: "cash", amount_cents: 100 },
  "payments.refund": { method: "cash", amount_cents: 100 },
  "closures.create": { from_date: "2099-06-08", to_date: "2099-06-09", reason: "High water" },
  "discounts.create": { code: "SPRING", percent_bps: 1000, offering_ids: [randomUUID()] },
  "discounts.update": { offering_ids: [randomUUID()] },
  "saved_replies.create": { title: "Towel", body: "Bring a towel." },
  "automations.update": { automation: "fill", dial: "ask" },
  "proposals.approve": { draft: { body: "See you soon." } },
  "org.update": {
    cancellation_policy,
    quiet_from: 21,
    quiet_to: 7,
    fees: [{ id: "tax", name: "Tax", percent_bps: 800, per: "order_value", offering_ids: [randomUUID()] }]
  },
  "webhooks.create": { url: "https://example.com/hook", events: ["*"] }
}

/** Fields with a format, where text of an allowed length can still be invalid. */
const meaningful = new Set(["timezone", "cursor", "review_url", "logo_url", "cover_url", "info.waiver_url", "url"])

interface RequestParts {
  readonly path: string
  readonly query: string
  /** The body as JSON. */
  readonly body: string | undefined
}

const requestOf = (operation: Operation.Any): RequestParts => {
  const rest = { ...wellFormed[operation.name] }
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return typeof value === "string" ? value : randomUUID()
  })
  const body = operation.method === "GET" || operation.method === "DELETE" ? undefined : JSON.stringify(rest)
  return { path, query: "", body }
}

/** Sets one field of the body to raw JSON text. Arrays on the path get one item. */
const withBodyField = (request: RequestParts, path: ReadonlyArray<string>, value: string): RequestParts => {
  const marker = randomUUID()
  const set = (into: unknown, [key = "", ...rest]: ReadonlyArray<string>): unknown => {
    if (Array.isArray(into)) return [rest.length === 0 ? marker : set(into[0] ?? {}, rest)]
    const object = typeof into === "object" && into !== null ? into : {}
    const inner: unknown = Reflect.get(object, key)
    return { ...object, [key]: rest.length === 0 ? marker : set(inner ?? {}, rest) }
  }
  const markedBody = JSON.stringify(set(JSON.parse(request.body ?? "{}"), path))
  return { ...request, body: markedBody.replace(`"${marker}"`, () => value) }
}

const withoutBodyField = (request: RequestParts, path: ReadonlyArray<string>): RequestParts => {
  const body = JSON.parse(request.body ?? "{}")
  const parent = path.slice(0, -1).reduce((into, key) => into?.[key], body)
  if (parent !== undefined) delete parent[path.at(-1) ?? ""]
  return { ...request, body: JSON.stringify(body) }
}

const call = (api: Client, { method }: Operation.Any, { body, path, query }: RequestParts): Promise<Answer> =>
  api.send(method, path + query, body)

const nameOf = (field: DeclaredField): string => field.path.join(".")

const refusesNaming = (answer: Answer, name: string, request: unknown): void => {
  const bodyText = JSON.stringify(answer.body)
  assert.strictEqual(answer.status, 400, `${JSON.stringify(request)} → ${bodyText}`)
  assert.deepStrictEqual(Object.keys(answer.body), ["error"])
  assert.strictEqual(answer.body.error.code, "invalid_request")
  assert.include(answer.body.error.message, name, JSON.stringify(request))
  // The message must not contain text from the schema library.
  assert.notMatch(answer.body.error.message, /Expected|actual|<declaration/)
}

/** Returns the valid query values. Without these values, the error would name a missing field. */
const requiredQuery = ({ method, name }: Operation.Any): Record<string, string> =>
  method === "GET"
    ? Object.fromEntries(
      Object.entries(wellFormed[name] ?? {}).flatMap(([key, value]) => typeof value === "string" ? [[key, value]] : [])
    )
    : {}

const wrongRequests = (operation: Operation.Any, field: DeclaredField): ReadonlyArray<RequestParts> => {
  const good = requestOf(operation)
  switch (field.in) {
    case "path":
      return ["not-a-uuid", "%00", "7", "..%2f..%2fetc"].map((id) => ({
        ...good,
        path: operation.path.replace(`:${field.path[0]}`, id)
      }))
    case "query":
      return wrongInQuery(field.schema).map((text) => ({
        ...good,
        query: `?${new URLSearchParams({ ...requiredQuery(operation), [field.path[0] ?? ""]: text })}`
      }))
    case "body":
      return [
        ...wrongValues(field.schema).map((value) => withBodyField(good, field.path, value)),
        ...(field.required && field.path.length === 1 ? [withoutBodyField(good, field.path)] : [])
      ]
  }
}

const everything = async (api: Client): Promise<string> => {
  const { exported_at: _now, ...state } = (await api.get("/org/export")).body
  return JSON.stringify(state)
}

describe("invalid input", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve()
    await server.api.post("/offerings", { name: "Browns Canyon", kind: "class" })
    await server.api.post("/customers", { email: "guest@example.com" })
  })
  afterAll(() => server.close())

  it.each(sample(operations.map((operation) => [operation.name, operation] as const), 3))(
    "%s rejects each invalid field by name, and changes nothing",
    async (_, operation) => {
      const before = await everything(server.api)
      for (const field of fieldsOf(operation)) {
        for (const request of wrongRequests(operation, field)) {
          refusesNaming(await call(server.api, operation, request), nameOf(field).replace("hours.0.", ""), request)
        }
      }
      assert.strictEqual(await everything(server.api), before)
    }
  )

  it.each(sample(operations.map((operation) => [operation.name, operation] as const), 3))(
    "%s accepts each field at its bounds",
    async (_, operation) => {
      for (const field of fieldsOf(operation)) {
        if (field.in !== "body" || meaningful.has(nameOf(field))) continue
        for (const value of valuesAtBounds(field.schema)) {
          const answer = await call(server.neighbor, operation, withBodyField(requestOf(operation), field.path, value))
          const message = String(answer.body.error?.message ?? "")
          assert.isBelow(answer.status, 500)
          assert.isFalse(message.startsWith(`${nameOf(field)}: must be`), `${nameOf(field)} = ${value}: ${message}`)
        }
      }
    }
  )

  it.each(sample(operations.map((operation) => [operation.name, operation] as const), 3))(
    "%s rejects unknown fields and bodies that are not JSON objects",
    async (_, operation) => {
      const good = requestOf(operation)
      refusesNaming(await call(server.api, operation, { ...good, query: "?surprise=1" }), "surprise", "query")
      if (good.body === undefined) return
      const surprise = withBodyField(good, ["surprise"], "1")
      refusesNaming(await call(server.api, operation, surprise), "surprise", surprise)
      for (const body of ["{", "{\"a\":}", "[]", "null", "7", "\"text\"", "{\"a\":1}{", "nul", "{'a':1}", "\u0000"]) {
        refusesNaming(await call(server.api, operation, { ...good, body }), "body", body)
      }
      const plain = await server.api.send(operation.method, good.path, good.body, { "content-type": "text/plain" })
      assert.strictEqual(plain.status, 415)
      const large = await call(server.api, operation, { ...good, body: `{"a":"${"x".repeat(1024 * 1024)}"}` })
      assert.deepStrictEqual([large.status, large.body.error.code], [413, "too_large"])
    }
  )

  it("another outfitter's ID is treated like an unknown one", async () => {
    const { api, neighbor } = server
    const offering = (await neighbor.post("/offerings", { name: "Theirs", kind: "class" })).body.id
    const starts_at = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const session = (await neighbor.post("/sessions", { offering_id: offering, starts_at })).body.data[0].id
    const booking = await neighbor.post("/bookings", {
      offering_id: offering,
      session_id: session,
      customer: { email: "theirs@example.com", name: "Theirs" }
    })
    const message = await neighbor.post("/messages", { booking_id: booking.body.id, body: "Theirs." })
    const cash = { method: "cash", amount_cents: 100, allow_overpayment: true }
    const payment = await neighbor.post(`/bookings/${booking.body.id}/payments`, cash)
    const foreign: Record<string, string> = {
      offerings: offering,
      sessions: session,
      bookings: booking.body.id,
      payments: payment.body.id,
      customers: booking.body.customer_id,
      conversations: message.body.conversation_id,
      closures:
        (await neighbor.post("/closures", { from_date: "2099-06-08", to_date: "2099-06-09", reason: "Theirs" })).body
          .id,
      discounts: (await neighbor.post("/discounts", { code: "THEIRS", cents: 500 })).body.id,
      saved_replies: (await neighbor.post("/saved_replies", { title: "Theirs", body: "Theirs." })).body.id,
      proposals: await server.propose("neighbor"),
      webhooks: (await neighbor.post("/webhooks", { url: "https://example.com/hook" })).body.id
    }
    const idOf = (group: string): string => {
      const id = foreign[group]
      if (id === undefined) throw new Error(`The other outfitter has no ID for ${group}.`)
      return id
    }
    const ownOffering = (await api.post("/offerings", { name: "Mine", kind: "class" })).body.id
    const [before, neighborBefore] = [await everything(api), await everything(neighbor)]
    const answers = async (
      path: (id: string) => string,
      method: string,
      body: ((id: string) => unknown) | undefined,
      id: string
    ) => {
      const send = (id: string) => api.send(method, path(id), body === undefined ? undefined : JSON.stringify(body(id)))
      const unknown = randomUUID()
      const [foreignAnswer, unknownAnswer] = [await send(id), await send(unknown)]
      assert.strictEqual(foreignAnswer.status, 404, `${method} ${path(id)}: ${JSON.stringify(foreignAnswer.body)}`)
      assert.strictEqual(JSON.stringify(foreignAnswer.body).replaceAll(id, unknown), JSON.stringify(unknownAnswer.body))
    }
    for (const { method, name, path } of operations) {
      if (!path.includes(":id")) continue
      const [, group = ""] = path.split("/")
      const id = idOf(group)
      const body = method === "GET" || method === "DELETE" ? undefined : () => wellFormed[name] ?? {}
      await answers((id) => path.replace(":id", id), method, body, id)
    }
    const customer = { email: "guest@example.com" }
    await answers(() => "/sessions", "POST", (offering_id) => ({ offering_id, starts_at }), offering)
    await answers(
      () => "/bookings",
      "POST",
      (offering_id) => ({ offering_id, session_id: session, customer }),
      offering
    )
    await answers(
      () => "/bookings",
      "POST",
      (session_id) => ({ offering_id: ownOffering, session_id, customer }),
      session
    )
    const room = (await api.post("/sessions", { offering_id: ownOffering, starts_at })).body.data[0].id
    const withRoom = await everything(api)
    await answers(
      () => "/bookings",
      "POST",
      (customer_id) => ({ offering_id: ownOffering, session_id: room, customer_id }),
      booking.body.customer_id
    )
    for (const field of ["conversation_id", "booking_id", "customer_id"]) {
      await answers(
        () => "/messages",
        "POST",
        (id) => ({ [field]: id, body: "Hello." }),
        idOf(`${field.slice(0, -3)}s`)
      )
    }
    for (const field of ["session_id", "offering_id"]) {
      const id = idOf(`${field.slice(0, -3)}s`)
      await answers(() => "/messages/broadcast", "POST", (id) => ({ target: { [field]: id }, body: "Hello." }), id)
    }
    for (const field of ["conversation_id", "booking_id"]) {
      const id = idOf(`${field.slice(0, -3)}s`)
      await answers((id) => `/saved_replies?${field}=${id}`, "GET", undefined, id)
    }
    for (const query of ["conversation_id", "booking_id", "customer_id"]) {
      const id = idOf(`${query.slice(0, -3)}s`)
      assert.deepStrictEqual((await api.get(`/messages?${query}=${id}`)).body, { data: [] })
    }
    for (const query of [`customer_id=${idOf("customers")}`, "q=theirs"]) {
      assert.deepStrictEqual((await api.get(`/conversations?${query}`)).body, { data: [] })
    }
    for (const query of ["offering_id", "customer_id", "session_id"]) {
      const id = idOf(`${query.slice(0, -3)}s`)
      assert.deepStrictEqual((await api.get(`/bookings?${query}=${id}`)).body, { data: [] })
    }
    assert.deepStrictEqual((await api.get("/customers?q=theirs")).body, { data: [] })
    assert.notStrictEqual(withRoom, before)
    assert.strictEqual(await everything(api), withRoom)
    assert.strictEqual(await everything(neighbor), neighborBefore)
  })
})
