/**
 * Measures largest contentful paint on a slow phone: Slow 4G, a 4× CPU slowdown, and an empty cache. Each round also
 * loads a bare page. If the machine is busy, the bare page is slow too, and the limit grows by the same factor.
 */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { open, type TestSite } from "../guest/TestSite.ts"
import { season } from "../season.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"

/** "Slow 4G" in the Chrome developer tools. */
const slow = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1_474_560 / 8,
  uploadThroughput: 691_200 / 8
}
const slower = 4
const promisedMs = 1500
/** The lower bound for any page: one round trip to the server, and one frame. */
const leastMs = slow.latency + 50
const rounds = 3

let browser: Browser
let site: TestSite
let plain: Server
let bare = ""
let pages: Readonly<Record<string, string>> = {}

const heading = "<h1>Browns Canyon Half Day</h1>"
/** A 400 kB stylesheet, which blocks rendering while it loads. */
const heavy = `.a{color:red}/*${"0123456789".repeat(40_000)}*/`

beforeAll(async () => {
  browser = await getBrowser()
  site = await open()
  const { raft, sessions } = await season(site)
  for (let n = 0; n < 9; n++) {
    await site.call("offerings.create", {
      name: `Trip ${n} of the Upper River`,
      kind: "appointment",
      description: "Half a day on the water with lunch on the bank. Everything you need is there. ".repeat(3),
      price_cents: 1000 + n
    })
  }
  const booking = await site.book(raft, {}, 4)
  await site.call("messages.send", { booking_id: booking.id, body: "See you on Wednesday." })
  plain = createServer(({ url }, response) => {
    const isStyle = url === "/heavy.css"
    response.setHeader("content-type", isStyle ? "text/css" : "text/html; charset=utf-8")
    const linked = url === "/heavy" ? `<link rel="stylesheet" href="/heavy.css">` : ""
    response.end(isStyle ? heavy : `<!doctype html><html lang="en"><title>Plain</title>${linked}${heading}`)
  })
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", () => resolve()))
  bare = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
  const book = `${site.url}/book/salida-river-co`
  pages = {
    "the list of twelve": book,
    "the picker": `${book}/${raft}`,
    "the details": `${book}/${raft}/details?slot=${sessions[4]}&date=2027-05-05`,
    "the guest's page": `${site.url}/b/${booking.handle}`
  }
})
afterAll(async () => {
  await closeContexts()
  plain.close()
  await site.close()
})

/** Returns the largest contentful paint, in milliseconds after the navigation started. */
const seenAfter = async (address: string): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 375, height: 800 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", slow)
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower })
    await page.goto(address)
    return await page.evaluate(() =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(Math.max(...list.getEntries().map(({ startTime }) => startTime))))
          .observe({ type: "largest-contentful-paint", buffered: true })
      })
    )
  } finally {
    await context.close()
  }
}

/**
 * Returns each page's fastest time over several rounds, because other load on the machine can only make a page slower.
 */
const soonest = async (addresses: Readonly<Record<string, string>>): Promise<Readonly<Record<string, number>>> => {
  const times: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, address] of Object.entries(addresses)) {
      times[name] = Math.min(times[name] ?? Infinity, await seenAfter(address))
    }
  }
  return times
}

/** Returns the limit, scaled by how much slower the bare page was than the lower bound. */
const mostOf = (bareMs: number) => promisedMs * Math.max(1, bareMs / leastMs)

it("every page renders within 1.5 seconds on Slow 4G with a 4x CPU slowdown", async () => {
  const { bare: bareMs = Infinity, ...pageTimes } = await soonest({ bare, ...pages })
  for (const [name, ms] of Object.entries(pageTimes)) {
    assert.isAtMost(ms, mostOf(bareMs), `${name} (a bare page takes ${bareMs.toFixed()} ms)`)
  }
})

it("control: a page with 400 kB of styles exceeds the limit", async () => {
  const { bare: bareMs = Infinity, heavy = 0 } = await soonest({ bare, heavy: `${bare}/heavy` })
  assert.isAtLeast(bareMs, slow.latency)
  assert.isAbove(heavy, mostOf(bareMs))
})
