import { assert, describe, it } from "vitest"
import { follow, refusal } from "./Script.ts"

const page = (ids: ReadonlyArray<number>, rest: object) => ({
  status: 200,
  body: { data: ids.map((id) => ({ id })), ...rest }
})

const gathered = async (items: AsyncIterable<{ readonly id: unknown }>): Promise<ReadonlyArray<unknown>> => {
  const ids: Array<unknown> = []
  for await (const { id } of items) ids.push(id)
  return ids
}

const queries = (requests: ReadonlyArray<{ readonly url: string }>) => requests.map(({ url }) => new URL(url).search)

describe("a list iterator", () => {
  const pages = [page([1, 2], { next_cursor: "a" }), page([3], { next_cursor: "b" }), page([4], {})] as const

  it("fetches all pages with the same query", async () => {
    const { client, sent } = follow(pages)
    assert.deepStrictEqual(await gathered(client.bookings.all({ status: "held", limit: 2 })), [1, 2, 3, 4])
    assert.deepStrictEqual(queries(sent), [
      "?status=held&limit=2",
      "?status=held&limit=2&cursor=a",
      "?status=held&limit=2&cursor=b"
    ])
  })

  it("fetches a page only when it is needed", async () => {
    const { client, sent } = follow(pages)
    const items = client.bookings.all()[Symbol.asyncIterator]()
    await items.next()
    await items.next()
    assert.lengthOf(sent, 1)
    await items.next()
    assert.lengthOf(sent, 2)
  })

  it("starts at a given cursor, and can be iterated twice", async () => {
    const { client, sent } = follow([page([1], {})])
    const all = client.customers.all({ cursor: "z" })
    assert.deepStrictEqual(await gathered(all), [1])
    assert.deepStrictEqual(await gathered(all), [1])
    assert.deepStrictEqual(queries(sent), ["?cursor=z", "?cursor=z"])
  })

  it("retries a page only if its response was lost", async () => {
    const { client } = follow([pages[0], "lost", pages[2]])
    assert.deepStrictEqual(await gathered(client.bookings.all()), [1, 2, 4])
    const script = follow([pages[0], refusal(403, "forbidden")])
    const error: unknown = await gathered(script.client.bookings.all()).catch((error: unknown) => error)
    assert.include(String(error), "forbidden")
  })
})

it("the events iterator follows next_before in descending order to the first event", async () => {
  const { client, sent } = follow([
    page([9, 8], { next_after: 9, next_before: 8 }),
    page([], { next_after: 9, next_before: 3 }),
    page([1], { next_after: 9 })
  ])
  assert.deepStrictEqual(await gathered(client.events.all({ order: "desc" })), [9, 8, 1])
  assert.deepStrictEqual(queries(sent), ["?order=desc", "?order=desc&before=8", "?order=desc&before=3"])
})

it("the events iterator follows next_after in ascending order until a page is empty", async () => {
  const { client, sent } = follow([
    page([1, 2], { next_after: 2 }),
    page([5], { next_after: 9 }),
    page([], { next_after: 9 })
  ])
  assert.deepStrictEqual(await gathered(client.events.all({ after: 0 })), [1, 2, 5])
  assert.deepStrictEqual(queries(sent), ["?after=0", "?after=2", "?after=9"])
})

it("the availability iterator follows next_from until no slots are left", async () => {
  const slots = (starts: ReadonlyArray<string>, rest: object) => ({
    status: 200,
    body: { timezone: "UTC", data: starts.map((starts_at) => ({ starts_at })), ...rest }
  })
  const { client, sent } = follow([slots(["a", "b"], { next_from: "2027-03-01" }), slots(["c"], {})])
  const starts: Array<string> = []
  const id = "0197c0de-0000-7000-8000-000000000000"
  for await (const { starts_at } of client.availability.all({ id, from: "2027-01-01", to: "2027-12-31" })) {
    starts.push(starts_at)
  }
  assert.deepStrictEqual(starts, ["a", "b", "c"])
  assert.deepStrictEqual(queries(sent), ["?from=2027-01-01&to=2027-12-31", "?from=2027-03-01&to=2027-12-31"])
})
