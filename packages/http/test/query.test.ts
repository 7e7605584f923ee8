import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { errorOf, type Service, start } from "./Service.ts"

describe("URL parameters", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ rateLimit: { perSecond: 0 } })
  })
  afterAll(() => service.close())

  it.each([
    ["/v1/bookings?limit=1"],
    ["/v1/bookings?limit=500&order=desc&status=held"],
    ["/v1/bookings?from=2027-05-01T15%3A00%3A00Z&to=2027-05-01T17:00:00%2B02:00"],
    ["/v1/bookings?"],
    ["/v1/bookings?&&"],
    ["/v1/bookings?%6Cimit=%31"],
    ["/v1/customers?q="],
    ["/v1/customers?q=a+b%20c%26d=e"],
    ["/v1/customers?q=%F0%9F%9B%B6"],
    ["/v1/events?after=0"]
  ])("are accepted: %s", async (path) => {
    const answer = await service.ask("GET", path)
    assert.strictEqual(answer.status, 200, answer.text)
  })

  it("are refused if unknown, with a list of known fields", async () => {
    const id = "0197c0de-0000-7000-8000-000000000000"
    for (const [method, body] of [["GET", {}], ["DELETE", {}], ["PATCH", { body: { title: "A", at: 1 } }]] as const) {
      const path = `/v1/${method === "GET" ? "conversations" : "saved_replies"}/${id}`
      const answer = await service.ask(method, method === "PATCH" ? path : `${path}?at=1`, body)
      const hint = method === "PATCH" ? "Known fields: title, body." : "The request has no fields."
      assert.strictEqual(errorOf(answer).message, `at: is not a field of this request. ${hint}`)
    }
    const response = await service.ask("POST", `/v1/bookings/${id}/confirm`, { body: { refund: true } })
    assert.strictEqual(errorOf(response).message, "refund: is not a field of this request. The request has no fields.")
  })

  it.each([
    ["limit=", "limit"],
    ["limit", "limit"],
    ["limit=0", "limit"],
    ["limit=501", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e2", "limit"],
    ["limit=%2B1", "limit"],
    ["limit=010", "limit"],
    ["limit=0x10", "limit"],
    ["limit=%201", "limit"],
    ["limit=1_0", "limit"],
    ["limit=Infinity", "limit"],
    ["limit=null", "limit"],
    ["limit=[1]", "limit"],
    ["limit=1&limit=2", "limit"],
    ["limit=1&%6cimit=1", "limit"],
    ["status=open", "status"],
    ["offering_id=", "offering_id"],
    ["from=2027-05-01T15:00:00+02:00", "from"],
    ["nothing=1", "nothing"],
    ["limit[]=1", "limit[]"],
    ["__proto__=1", "__proto__"],
    ["__proto__[x]=1", "__proto__[x]"],
    ["constructor=1", "constructor"],
    ["toString=1", "toString"],
    ["hasOwnProperty=1", "hasOwnProperty"],
    ["id=1", "id"]
  ])("are refused if they contain %s, and the error names %s", async (query, name) => {
    const answer = await service.ask("GET", `/v1/bookings?${query}`)
    assert.strictEqual(answer.status, 400, answer.text)
    assert.strictEqual(errorOf(answer).code, "invalid_request")
    assert.isTrue(errorOf(answer).message.startsWith(`${name}: `), errorOf(answer).message)
  })

  it("are refused as unknown if named like Object.prototype members", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const answer = await service.ask("GET", `/v1/bookings?${name}=1`)
      assert.match(
        errorOf(answer).message,
        new RegExp(`^${name}: is not a field of this request\\. Known fields: from, to, status, .*limit, cursor\\.$`)
      )
    }
  })

  it.each(["q=%ff", "q=%", "q=100%", "%c0%af=1"])(
    "are refused if they are not percent-encoded UTF-8: %s",
    async (query) => {
      const answer = await service.ask("GET", `/v1/customers?${query}`)
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(errorOf(answer).code, "invalid_request")
    }
  )

  it("must be true or false if they are boolean", async () => {
    const path = `/v1/offerings/${crypto.randomUUID()}`
    const status = async (value: string) => (await service.ask("DELETE", `${path}?cancel_bookings=${value}`)).status
    assert.strictEqual(await status("true"), 404)
    assert.strictEqual(await status("false"), 404)
    for (const value of ["", "1", "yes", "True", "TRUE"]) assert.strictEqual(await status(value), 400, value)
  })

  it("are refused in the query string if they belong in the path", async () => {
    const id = crypto.randomUUID()
    const answer = await service.ask("GET", `/v1/bookings/${id}?id=${id}`)
    assert.strictEqual(answer.status, 400)
    assert.match(errorOf(answer).message, /^id: /)
  })

  it("are refused with 400 if an ID is not a UUID", async () => {
    for (const id of ["1", "no-uuid", "%00", "..%2Forg", "%F0%9F%9B%B6", "a".repeat(2000)]) {
      const answer = await service.ask("GET", `/v1/bookings/${id}`)
      assert.strictEqual(answer.status, 400, id)
      assert.match(errorOf(answer).message, /^id: /)
    }
    assert.strictEqual((await service.ask("GET", `/v1/bookings/${crypto.randomUUID()}`)).status, 404)
    assert.strictEqual((await service.ask("GET", `/v1/bookings/${crypto.randomUUID().toUpperCase()}`)).status, 404)
  })

  it("are refused in the query string of a write request", async () => {
    const answer = await service.ask("POST", "/v1/offerings?name=Raft", { body: { name: "Raft", kind: "class" } })
    assert.strictEqual(answer.status, 400)
    assert.match(errorOf(answer).message, /^name: /)
    const empty = await service.ask("POST", "/v1/offerings?", { body: { name: "Raft", kind: "class" } })
    assert.strictEqual(empty.status, 201)
  })
})
