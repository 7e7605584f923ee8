import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Probe from "./Probe.ts"
import { errorOf, type Service, start } from "./Service.ts"

describe("errors", () => {
  let service: Service
  beforeAll(async () => {
    service = await start({ registry: Probe.make().layer, rateLimit: { failuresPerMinute: 0 } })
  })
  afterAll(() => service.close())

  it("the kind of a refusal is its status; code and message are core's", async () => {
    const answers = []
    for (const kind of Probe.kinds) answers.push(await service.ask("GET", `/v1/probe/refuse?kind=${kind}`))
    assert.deepStrictEqual(answers.map(({ status }) => status), [400, 401, 403, 404, 409, 429, 503])
    for (const answer of answers) assert.deepStrictEqual(errorOf(answer), { code: "probed", message: "As asked." })
    assert.strictEqual(answers[1]?.headers.get("www-authenticate"), "Bearer")
  })

  it("what may be tried again says when", async () => {
    const after = async (query: string) =>
      (await service.ask("GET", `/v1/probe/refuse?${query}`)).headers.get("retry-after")
    assert.strictEqual(await after("kind=exhausted&after=7"), "7")
    assert.strictEqual(await after("kind=unavailable&after=3"), "3")
    assert.strictEqual(await after("kind=unavailable"), "1")
    assert.isNull(await after("kind=conflict"))
  })

  it("a defect tells the caller nothing and the log everything", async () => {
    const answer = await service.ask("GET", "/v1/probe/break")
    assert.strictEqual(answer.status, 500)
    assert.strictEqual(errorOf(answer).code, "internal")
    assert.notInclude(answer.text, "boiler")
    const defect = service.log.findLast(({ msg }) => msg === "defect")
    assert.strictEqual(defect?.request_id, answer.headers.get("x-request-id"))
    assert.strictEqual(defect?.level, "error")
    assert.strictEqual(defect?.op, "probe.break")
    assert.include(defect?.error, "The boiler burst.")
  })

  it("a database that cannot work now is unavailable, not broken", async () => {
    const answer = await service.ask("GET", "/v1/probe/break?unavailable=true")
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(errorOf(answer).code, "unavailable")
    assert.strictEqual(answer.headers.get("retry-after"), "1")
  })

  it("the service goes on after all of them", async () => {
    assert.strictEqual((await service.ask("GET", "/livez", { key: null })).status, 200)
  })
})
