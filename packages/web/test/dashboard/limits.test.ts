/** Tests the dashboard's rate limits, per sign-in session and per address. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { maxStaffRequestsPerMinute } from "../../src/signIn/StaffAuth.ts"
import { open, type TestSite } from "../guest/TestSite.ts"

const office = "192.0.2.1"

describe("the dashboard's rate limit", () => {
  let site: TestSite
  beforeEach(async () => {
    site = await open()
  })
  afterEach(() => site.close())

  /** Sends the cheapest request that requires a sign-in session and returns the statuses. */
  const statusesFor = async (cookie: string, address = office, times = 1): Promise<ReadonlyArray<number>> => {
    const statuses = []
    for (let nth = 0; nth < times; nth++) {
      const { status } = await site.ask("/dashboard/stream", { method: "HEAD", address, headers: { cookie } })
      statuses.push(status)
    }
    return [...new Set(statuses)]
  }

  it("counts each sign-in session separately", async () => {
    const people = [await site.signIn("owner"), await site.signIn("staff"), await site.signIn("staff")]
    for (const cookie of people) {
      assert.deepStrictEqual(await statusesFor(cookie, office, maxStaffRequestsPerMinute), [200])
    }
    // The limit applies to the sign-in session from any address, and does not affect other sign-in sessions.
    const [first = ""] = people
    assert.deepStrictEqual(await statusesFor(first), [429])
    assert.deepStrictEqual(await statusesFor(first, "192.0.2.2"), [429])
    assert.deepStrictEqual(await statusesFor(await site.signIn("owner")), [200])
  })

  it("shows how long to wait before the next request", async () => {
    const cookie = await site.signIn()
    await statusesFor(cookie, office, maxStaffRequestsPerMinute)
    const { headers, html, status } = await site.ask("/dashboard", { address: office, headers: { cookie } })
    assert.strictEqual(status, 429)
    assert.strictEqual(headers.get("retry-after"), "1")
    assert.include(html, "Too many requests")
    site.set("2027-05-01T14:00:01Z")
    assert.deepStrictEqual(await statusesFor(cookie, office, 5), [200, 429])
    site.set("2027-05-01T14:01:01Z")
    assert.deepStrictEqual(await statusesFor(cookie, office, maxStaffRequestsPerMinute), [200])
  })

  it("counts anonymous requests by IP address without blocking staff", async () => {
    const cookie = await site.signIn()
    assert.deepStrictEqual(await statusesFor("tb_login=nobodys", office, maxStaffRequestsPerMinute), [401])
    assert.deepStrictEqual(await statusesFor("tb_login=somebodys"), [429])
    assert.deepStrictEqual(await statusesFor(""), [429])
    assert.strictEqual((await site.ask("/dashboard", { address: office })).status, 429)
    assert.deepStrictEqual(await statusesFor("", "192.0.2.2"), [401])
    assert.deepStrictEqual(await statusesFor(cookie), [200])
  })
})
