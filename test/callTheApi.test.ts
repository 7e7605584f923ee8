/** Runs the programs from the client guide and checks the guide's statements about the API. */
import type { Event } from "@trailbook/client"
import { createClient } from "@trailbook/client"
import { routes } from "@trailbook/client/routes"
import { maxRetryAfterSeconds } from "@trailbook/client/sendWithRetry"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { serve, type TestServer } from "./served/serve.ts"

const root = join(import.meta.dirname, "..")
const readText = (path: string) => readFileSync(join(root, path), "utf8")
const pages = ["docs/how-to/call-the-api.md", "packages/client/README.md"]
const guide = readText("docs/how-to/call-the-api.md")

const folder = join(import.meta.dirname, "callTheApi")
const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))

describe("the guide and the README", () => {
  it("contain every program in this test", () => {
    const blocks = (page: string) =>
      Array.from(readText(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code]) => code)
    assert.sameMembers(blocks("docs/how-to/call-the-api.md"), sources)
    assert.includeMembers(sources, blocks("packages/client/README.md"))
    assert.lengthOf(blocks("packages/client/README.md"), 1)
  })

  it.each(pages)("link only to existing targets: %s", (page) => {
    const links = Array.from(readText(page).matchAll(/\]\(([^)#:]+)\)/g), ([, path = ""]) => path)
    for (const path of links) assert.isTrue(existsSync(join(root, dirname(page), path)), path)
  })

  it("name exactly the writes that are retried", () => {
    const namedIn = (start: string) => {
      const row = guide.split("\n").find((line) => line.startsWith(start)) ?? ""
      const [, cell = ""] = row.split("|")
      return new Set(Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name]) => name))
    }
    const [keyedNames, repeatedNames] = [namedIn("| `bookings.create`"), namedIn("| `update`")]
    for (const [group, byName] of Object.entries(routes)) {
      for (const [name, route] of Object.entries(byName)) {
        if (route.method === "GET") continue
        const hasKey = "key" in route
        assert.strictEqual(keyedNames.has(`${group}.${name}`), hasKey, `${group}.${name}`)
        const isNamed = repeatedNames.has(name) || repeatedNames.has(`${group}.${name}`)
        assert.strictEqual(isNamed, route.isRepeatable && !hasKey, `${group}.${name}`)
      }
    }
    assert.include(guide, `more than ${maxRetryAfterSeconds} seconds`)
  })
})

describe("the programs in the guide", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve()
    process.env.TRAILBOOK_URL = server.url
    process.env.TRAILBOOK_KEY = server.key
  })
  afterAll(async () => {
    delete process.env.TRAILBOOK_URL
    delete process.env.TRAILBOOK_KEY
    await server.close()
  })

  const outfitter = () => createClient({ baseUrl: server.url, apiKey: server.key })

  it("book an offering by start time or session", async () => {
    const { book } = await import("./callTheApi/book.ts")
    const { id } = await outfitter().offerings.create({ name: "Kayak", kind: "rental", capacity: 2 })
    assert.strictEqual((await book(id, "ada@example.com", 2))?.quantity, 2)
    assert.isUndefined(await book(id, "ada@example.com", 3))

    const raft = await outfitter().offerings.create({ name: "Raft", kind: "class", capacity: 4 })
    const starts_at = new Date(Date.now() + 24 * 3600 * 1000).toISOString()
    const { data: [session] } = await outfitter().sessions.create({ offering_id: raft.id, starts_at })
    assert.strictEqual((await book(raft.id, "ada@example.com", 1))?.session_id, session?.id)
  })

  it("distinguish an already booked spot from an unexpected error", async () => {
    const { bookIfFree } = await import("./callTheApi/bookIfFree.ts")
    const { id } = await outfitter().offerings.create({ name: "Canoe", kind: "appointment" })
    const { data: [, slot] } = await outfitter().availability.get({ id })
    assert.isDefined(slot)
    const details = { offering_id: id, starts_at: slot.starts_at, customer: { email: "ada@example.com" } }
    assert.strictEqual((await bookIfFree(details))?.status, "confirmed")
    assert.isUndefined(await bookIfFree(details))
    const lost: unknown = await bookIfFree({ ...details, offering_id: crypto.randomUUID() }).catch((error: unknown) =>
      error
    )
    assert.include(String(lost), "does not exist")
  })

  it("book an order only once if it is fulfilled twice", async () => {
    const { fulfil } = await import("./callTheApi/fulfil.ts")
    const { id } = await outfitter().offerings.create({ name: "Tent", kind: "rental", capacity: 5 })
    const { data: [, slot] } = await outfitter().availability.get({ id })
    assert.isDefined(slot)
    const details = { offering_id: id, starts_at: slot.starts_at, customer: { email: "ada@example.com" } }
    const order = { id: crypto.randomUUID(), details }
    const first = await fulfil(order)
    assert.strictEqual((await fulfil(order))?.id, first?.id)
    assert.lengthOf((await outfitter().bookings.list({ offering_id: id })).data, 1)
  })

  it("list the guests and follow events", async () => {
    const { arrivals } = await import("./callTheApi/arrivals.ts")
    const { follow } = await import("./callTheApi/follow.ts")
    const { book } = await import("./callTheApi/book.ts")
    await outfitter().customers.upsert({ email: "bob@example.com", name: "Bob" })
    const { id } = await outfitter().offerings.create({ name: "Bike", kind: "rental" })
    const booking = await book(id, "bob@example.com", 1)
    const from = booking?.starts_at ?? ""
    const to = new Date(Date.parse(from) + 1).toISOString()
    assert.include(await arrivals(from, to), "Bob (1)")

    // The feed serves an event once it is two seconds old.
    const events: Array<Event> = []
    let last = 0
    while (!events.some(({ type }) => type === "offering.created")) {
      last = await follow(last, (event) => {
        events.push(event)
        return Promise.resolve()
      })
    }
    assert.strictEqual(events.at(-1)?.id, last)
    assert.deepStrictEqual(events.map((event) => event.id), Array.from(events, (_, at) => at + 1))
  })
})
