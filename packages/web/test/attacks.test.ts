/**
 * Tests attacks on guest pages. Each attack that a guard blocks is repeated without the guard, to prove that the guard
 * is what blocks it.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type TestSite, trip } from "./guest/TestSite.ts"

const evil = "https://evil.example"

const sites: Array<TestSite> = []
afterAll(() => Promise.all(sites.map(({ close }) => close())))
const openSite = async (...options: Parameters<typeof open>): Promise<TestSite> => {
  const site = await open(...options)
  sites.push(site)
  return site
}

const startsOf = async (site: TestSite, id: string): Promise<ReadonlyArray<string>> => {
  const { data } = await site.call("availability.get", { id }) as unknown as {
    readonly data: ReadonlyArray<{ readonly starts_at: string }>
  }
  return data.map(({ starts_at }) => starts_at)
}

const toFormData = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

describe("guest forms from another site", () => {
  const attacked = async (trustedOrigins: ReadonlyArray<string>) => {
    const site = await openSite({ trustedOrigins })
    await site.call("org.update", { guest_changes_hours: 1 })
    const { id } = await site.call("offerings.create", trip)
    const slot = (await startsOf(site, id))[20] ?? ""
    const forms = site.routes.filter(({ method, path }) =>
      // The assistants' endpoint accepts JSON, which forms cannot post.
      method === "POST" && /^\/(?:b|book)\//.test(path) && !path.endsWith("/mcp")
    )
    const answers: Array<{ readonly path: string; readonly status: number; readonly isChanged: boolean }> = []
    for (const [at, { path }] of forms.entries()) {
      // Each form gets its own booking and guest, because an earlier form could have canceled a shared booking.
      const booking = await site.book(id, { customer: { email: `ada${at}@example.com`, name: "Ada" } }, 12)
      await site.call("messages.send", { booking_id: booking.id, body: "See you." })
      if (path === "/b/:handle/pay") await site.connect()
      const loadLink = () => path.includes("/email/") ? site.proof(booking.customer.email) : site.link(booking)
      const names: Readonly<Record<string, string>> = {
        handle: booking.handle,
        slug: "salida-river-co",
        offering: id,
        // Only paths with a link need one. A guest with a new link cannot request another one immediately.
        link: path.includes(":link") ? await loadLink() : ""
      }
      const day = slot.slice(0, 10)
      const who = { name: "Mallory", email: "mallory@example.com", shown: "now", key: crypto.randomUUID() }
      const fields = {
        ...who,
        slot,
        date: day,
        on: day,
        to: slot,
        from: day,
        body: "Hello",
        link: await site.mailed(booking.id)
      }
      const before = await site.tables()
      const { status } = await site.ask(path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? ""), {
        form: path === "/b/:handle/messages" ? toFormData(fields) : fields,
        headers: { origin: evil, "sec-fetch-site": "cross-site" }
      })
      answers.push({ path, status, isChanged: await site.tables() !== before })
    }
    return answers
  }

  /** Forms that change data. All other forms only re-render a page. */
  const writePaths = [
    "/book/:slug/question",
    "/book/:slug/:offering",
    "/book/:slug/:offering/email",
    "/book/:slug/email/:link",
    "/b/:handle/move",
    "/b/:handle/cancel",
    "/b/:handle/messages",
    "/b/:handle/mailed",
    "/b/:handle/read",
    "/b/:handle/link",
    "/b/:handle/pay",
    "/b/:handle/messages/:link"
  ]

  it("are all refused, and change nothing", async () => {
    const answers = await attacked([])
    assert.includeMembers(answers.map(({ path }) => path), writePaths)
    for (const { isChanged, path, status } of answers) assert.deepStrictEqual([status, isChanged], [403, false], path)
  })

  it("control: take effect if the origin guard trusts that site", async () => {
    for (const { isChanged, path, status } of await attacked([evil])) {
      assert.oneOf(status, [200, 204, 303], path)
      assert.strictEqual(isChanged, writePaths.includes(path), path)
    }
  })
})

describe("guest pages", () => {
  it("change nothing when a mail scanner opens their links", async () => {
    const site = await openSite()
    await site.call("org.update", { guest_changes_hours: 1, review_url: "https://example.com/review" })
    await site.connect()
    const { id } = await site.call("offerings.create", trip)
    const hold = await site.book(id, {}, 12)
    const paidBooking = await site.book(id, {}, 13)
    await site.pay(paidBooking)
    await site.call("messages.send", { booking_id: paidBooking.id, body: "See you." })
    const link = await site.link(paidBooking)
    const before = await site.tables()
    const visitedPaths = new Set<string>()
    const patterns = new Set<string>()
    const visit = async (path: string): Promise<void> => {
      // The calendar's links never end, so visit only a few addresses per pattern.
      const pattern = path.replaceAll(/=[^&]*/g, "").replace(hold.handle, "held").replace(paidBooking.handle, "paid")
      if (visitedPaths.has(path) || visitedPaths.size > 400 || !/^\/(?:b|book|widget)\//.test(path)) return
      if (
        patterns.has(pattern) && [...visitedPaths].filter((one) => one.split("?")[0] === path.split("?")[0]).length > 4
      ) {
        return
      }
      visitedPaths.add(path)
      patterns.add(pattern)
      const { html } = await site.ask(path, { headers: { purpose: "prefetch", "sec-purpose": "prefetch" } })
      for (const [, to = ""] of html.matchAll(/ (?:href|src|action|formaction)="([^"]+)"/g)) {
        await visit(to.replaceAll("&amp;", "&"))
      }
    }
    await visit("/book/salida-river-co")
    await visit("/widget/salida-river-co")
    for (const { handle } of [hold, paidBooking]) {
      await visit(`/b/${handle}`)
      await visit(`/b/${handle}/pay`)
      await visit(`/b/${handle}/paid`)
    }
    await visit(`/b/${paidBooking.handle}/messages/${link}`)
    for (
      const path of ["/book/salida-river-co/question", `/book/salida-river-co/${id}`, `/b/${paidBooking.handle}/cancel`]
    ) {
      assert.isTrue(visitedPaths.has(path), path)
    }
    assert.isAbove(visitedPaths.size, 20)
    assert.strictEqual(await site.tables(), before)
    // Prefetching must not have used up the link.
    assert.strictEqual((await site.ask(`/b/${paidBooking.handle}/messages/${link}`, { form: {} })).status, 303)
    assert.notStrictEqual(await site.tables(), before)
  })

  it("link and redirect only to this site", async () => {
    const site = await openSite()
    const { id } = await site.call("offerings.create", trip)
    const slot = (await startsOf(site, id))[0] ?? ""
    const query = "?lang=//evil.example&next=https://evil.example&accent=//evil.example&embed=%2F%2Fevil.example"
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "evil" }
    const who = { name: "Ada", email: "ada@example.com", shown: "now" }
    for (const path of ["", `/${id}`, `/${id}/details?slot=${slot}&date=${slot.slice(0, 10)}`, "/question"]) {
      const address = `/book/salida-river-co${path}${path.includes("?") ? query.replace("?", "&") : query}`
      const { html } = await site.ask(address, { headers })
      for (const [, to = ""] of html.matchAll(/ (?:href|src|action|formaction)="([^"]+)"/g)) {
        assert.match(to.replaceAll("&amp;", "&"), /^(?:\/(?!\/)|\?|#|data:)/, `${address} leads to ${to}`)
      }
    }
    const forms = [
      [`/${id}`, { ...who, slot, date: slot.slice(0, 10), key: crypto.randomUUID() }, /^\/b\//],
      ["/question", { ...who, body: "Hello", key: crypto.randomUUID() }, /^\/book\/salida-river-co\/question\?/]
    ] as const
    for (const [path, form, there] of forms) {
      const answer = await site.ask(`/book/salida-river-co${path}${query}`, { form, headers })
      assert.strictEqual(answer.status, 303)
      assert.match(answer.headers.get("location") ?? "", there)
    }
  })
})

describe("unpaid held spots", () => {
  it("are limited to three per email address", async () => {
    const site = await openSite()
    await site.connect()
    const { id } = await site.call("offerings.create", trip)
    const slot = (await startsOf(site, id))[20] ?? ""
    const book = (email: string, key = crypto.randomUUID() as string) =>
      site.ask(`/book/salida-river-co/${id}`, {
        form: { name: "Mallory", email, phone: "", notes: "", shown: "now", slot, date: slot.slice(0, 10), key }
      })
    const countHolds = async () => {
      const { data } = await site.call("bookings.list", { status: "held" }) as unknown as {
        readonly data: ReadonlyArray<unknown>
      }
      return data.length
    }
    const keys = Array.from({ length: 8 }, () => crypto.randomUUID() as string)
    const statuses: Array<number> = []
    for (const key of keys) statuses.push((await book("mallory@example.com", key)).status)
    assert.deepStrictEqual(statuses, [200, 200, 200, ...Array<number>(5).fill(429)])
    const rejection = await book("Mallory@Example.com")
    assert.strictEqual(rejection.status, 429)
    assert.include(rejection.html, "Too many bookings are awaiting confirmation")
    assert.include(rejection.html, `value="Mallory@Example.com"`)
    assert.strictEqual(await countHolds(), 3)
    // Submitting the same form again returns the existing hold instead of creating a fourth.
    assert.strictEqual((await book("mallory@example.com", keys[0])).status, 200)
    assert.strictEqual((await book("ada@example.com")).status, 200)
    assert.strictEqual(await countHolds(), 4)
    site.set("2027-05-01T15:00:00Z")
    assert.strictEqual((await book("mallory@example.com")).status, 200)
  })
})

describe("the embed snippet", () => {
  it("contains no text that an attacker put in the URL", async () => {
    const site = await openSite()
    const { id } = await site.call("offerings.create", trip)
    const lines = async (query: Record<string, string>) => {
      const { html } = await site.ask(`/widget/salida-river-co?${new URLSearchParams(query)}`)
      return /<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(html)?.[1]
    }
    const plain = await lines({})
    assert.include(plain, "salida-river-co")
    const script = `"><script src=https://evil.example></script>`
    assert.strictEqual(await lines({ lang: script, accent: script, offering: script, slug: script }), plain)
    const customLines = await lines({ lang: "es", accent: "aa3300", offering: id })
    for (const expected of [`lang=&quot;es&quot;`, `#aa3300`, id]) {
      assert.include(customLines?.replaceAll("\"", "&quot;"), expected)
    }
  })
})

describe("a visitor with someone else's ID", () => {
  let site: TestSite
  let ownId: string
  let otherId: string
  beforeAll(async () => {
    site = await openSite()
    ownId = (await site.call("offerings.create", trip)).id
    otherId = (await site.elsewhere("offerings.create", trip)).id
  })

  it("cannot book another outfitter's offering", async () => {
    const before = await site.tables()
    const slot = (await startsOf(site, ownId))[0] ?? ""
    const form = { name: "Ada", email: "ada@example.com", shown: "now", slot, key: crypto.randomUUID() }
    const notFound = await site.ask("/book/unknown-outfitter")
    assert.strictEqual(notFound.status, 404)
    const at = `/book/salida-river-co/${otherId}`
    const answers = [
      await site.ask(at),
      await site.ask(`${at}/details?slot=${slot}`),
      await site.ask(at, { form }),
      await site.ask(`${at}/details`, { form }),
      await site.ask(`${at}/times`, { form })
    ]
    for (const { html, status } of answers) {
      assert.strictEqual(status, 404)
      assert.strictEqual(html, notFound.html)
    }
    assert.strictEqual(await site.tables(), before)
    // The offering exists, but belongs to another outfitter.
    assert.strictEqual((await site.ask(`/book/buena-vista-boats/${otherId}`)).status, 200)
  })

  it("cannot read another guest's messages", async () => {
    const ownBooking = await site.book(ownId, { customer: { email: "mallory@example.com" } }, 12)
    const otherBooking = await site.book(ownId, { customer: { email: "ada@example.com", name: "Ada Lovelace" } }, 12)
    await site.call("messages.send", { booking_id: otherBooking.id, body: "only for Ada" })
    const link = await site.link(otherBooking)
    const before = await site.tables()
    for (const path of ["", "/move", "/cancel", "/pay", "/paid", `/messages/${link}`]) {
      const { html } = await site.ask(`/b/${ownBooking.handle}${path}`)
      for (const secret of ["only for Ada", "Ada Lovelace", otherBooking.handle, otherBooking.reference]) {
        assert.notInclude(html, secret, path)
      }
    }
    const usedLink = await site.ask(`/b/${ownBooking.handle}/messages/${link}`, { form: {} })
    assert.strictEqual(usedLink.status, 410)
    assert.isNull(usedLink.headers.get("set-cookie"))
    assert.strictEqual(await site.tables(), before)
  })
})
