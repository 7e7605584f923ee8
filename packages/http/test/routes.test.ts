import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

// The published routes, listed by hand.
const table = `
  offerings.list         GET     /offerings
  offerings.create       POST    /offerings
  offerings.get          GET     /offerings/:id
  offerings.update       PATCH   /offerings/:id
  offerings.delete       DELETE  /offerings/:id
  offerings.get_hours    GET     /offerings/:id/hours
  offerings.set_hours    PUT     /offerings/:id/hours
  offerings.set_photos   PUT     /offerings/:id/photos
  availability.get       GET     /offerings/:id/availability
  sessions.list          GET     /sessions
  sessions.create        POST    /sessions
  sessions.update        PATCH   /sessions/:id
  sessions.plan          POST    /offerings/:id/session-plans
  sessions.cancel        POST    /sessions/:id/cancel
  closures.list          GET     /closures
  closures.create        POST    /closures
  closures.delete        DELETE  /closures/:id
  discounts.list         GET     /discounts
  discounts.create       POST    /discounts
  discounts.update       PATCH   /discounts/:id
  discounts.delete       DELETE  /discounts/:id
  bookings.list          GET     /bookings
  bookings.get           GET     /bookings/:id
  bookings.create        POST    /bookings
  bookings.quote         POST    /quotes
  bookings.cancel        POST    /bookings/:id/cancel
  bookings.restore       POST    /bookings/:id/restore
  bookings.confirm       POST    /bookings/:id/confirm
  bookings.move          POST    /bookings/:id/move
  bookings.update        PATCH   /bookings/:id
  bookings.resend        POST    /bookings/:id/resend
  bookings.check_in      POST    /bookings/:id/check-in
  bookings.mark_no_show  POST    /bookings/:id/no-show
  bookings.clear_attendance DELETE  /bookings/:id/attendance
  payments.list          GET     /payments
  payments.record        POST    /bookings/:id/payments
  payments.refund        POST    /bookings/:id/refunds
  payments.request       POST    /bookings/:id/payment-requests
  payments.void          POST    /payments/:id/void
  reports.sales          GET     /reports/sales
  reports.payments       GET     /reports/payments
  reports.occupancy      GET     /reports/occupancy
  reports.guests         GET     /reports/guests
  customers.list         GET     /customers
  customers.upsert       POST    /customers
  customers.get          GET     /customers/:id
  customers.update       PATCH   /customers/:id
  customers.delete       DELETE  /customers/:id
  conversations.list     GET     /conversations
  conversations.get      GET     /conversations/:id
  conversations.update   PATCH   /conversations/:id
  conversations.delete   DELETE  /conversations/:id
  messages.list          GET     /messages
  messages.send          POST    /messages
  messages.broadcast     POST    /messages/broadcast
  messages.draft         POST    /messages/draft
  saved_replies.list     GET     /saved_replies
  saved_replies.create   POST    /saved_replies
  saved_replies.update   PATCH   /saved_replies/:id
  saved_replies.delete   DELETE  /saved_replies/:id
  automations.list       GET     /automations
  automations.update     PATCH   /automations/:automation
  forecast.get           GET     /forecast
  proposals.list         GET     /proposals
  proposals.approve      POST    /proposals/:id/approve
  proposals.dismiss      POST    /proposals/:id/dismiss
  proposals.undo         POST    /proposals/:id/undo
  assistants.activity    GET     /assistants/activity
  org.get                GET     /org
  org.update             PATCH   /org
  org.export             GET     /org/export
  events.list            GET     /events
  billing.get            GET     /billing
  webhooks.list          GET     /webhooks
  webhooks.create        POST    /webhooks
  webhooks.delete        DELETE  /webhooks/:id
`.trim().split("\n").map((line) => line.trim().split(/\s+/) as [name: string, method: string, path: string])

describe("routes", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0, failuresPerMinute: 0 } })
  })
  afterAll(() => service.close())

  it("have the specified operation names, methods, and paths", () => {
    assert.deepStrictEqual(
      service.registry.operations.map(({ method, name, path }) => [name, method, path]),
      table
    )
  })

  it("are under /v1 and require a key", async () => {
    const id = crypto.randomUUID()
    for (const [name, method, path] of table) {
      const address = `/v1${path.replace(":id", id)}`
      const stranger = await service.ask(method, address, { key: null })
      assert.strictEqual(stranger.status, 401, name)
      // With a key, each request reaches its operation, and the log contains the operation's name.
      await service.ask(method, address)
      assert.strictEqual(service.log.at(-1)?.op, name)
      assert.strictEqual(service.log.at(-1)?.route, `/v1${path}`)
    }
  })

  it.each([
    ["GET", "/"],
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v1/nothing"],
    ["GET", "/v1/bookings/"],
    ["GET", "/v1//bookings"],
    ["GET", "/bookings"],
    ["POST", "/v1/bookings/1/2/3/4"],
    ["GET", "/v1/%zz"],
    ["GET", "/v1/%00"],
    ["GET", "/v2/bookings"],
    ["OPTIONS", "/v1/nothing"]
  ])("return not found for an unknown address: %s %s", async (method, path) => {
    const answer = await service.ask(method, path, { key: null })
    assert.strictEqual(answer.status, 404)
    assert.strictEqual(errorOf(answer).code, "not_found")
  })

  it.each([
    ["PUT", "/v1/bookings", "GET, HEAD, POST, OPTIONS"],
    ["GET", "/v1/bookings/1/cancel", "POST, OPTIONS"],
    ["DELETE", "/v1/org/export", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/offerings/1", "GET, HEAD, PATCH, DELETE, OPTIONS"],
    ["HEAD", "/v1/bookings/1/cancel", "POST, OPTIONS"],
    ["PROPFIND", "/v1/bookings", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/livez", "GET, HEAD, OPTIONS"]
  ])("return the allowed methods for a known address: %s %s", async (method, path, allow) => {
    const answer = await service.ask(method, path, { key: null })
    assert.strictEqual(answer.status, 405)
    assert.strictEqual(answer.headers.get("allow"), allow)
    if (method !== "HEAD") assert.strictEqual(errorOf(answer).code, "method_not_allowed")
  })

  it("answer OPTIONS with the allowed methods, and allow no other origin", async () => {
    const answer = await service.ask("OPTIONS", "/v1/bookings", {
      key: null,
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" }
    })
    assert.strictEqual(answer.status, 204)
    assert.strictEqual(answer.text, "")
    assert.strictEqual(answer.headers.get("allow"), "GET, HEAD, POST, OPTIONS")
    assert.isNull(answer.headers.get("access-control-allow-origin"))
  })

  it("answer HEAD like GET, but without a body", async () => {
    const get = await service.ask("GET", "/v1/org")
    const head = await service.ask("HEAD", "/v1/org")
    assert.strictEqual(head.status, 200)
    assert.strictEqual(head.text, "")
    assert.strictEqual(head.headers.get("content-type"), get.headers.get("content-type"))
    assert.strictEqual((await service.ask("HEAD", "/v1/org", { key: null })).status, 401)
  })
})
