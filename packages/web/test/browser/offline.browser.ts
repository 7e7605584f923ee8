/** Tests the dashboard's service worker in Chromium: showing saved pages offline, and deleting them. */
import type { BookingView } from "@trailbook/core/booking"
import type { Handler } from "@trailbook/http/handler"
import * as Serve from "@trailbook/http/serve"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { pipeline } from "node:stream"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { open, type TestSite, trip } from "../guest/TestSite.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { withPage } from "./withPage.ts"

const start = "2027-05-02T15:30:00Z"

/** Returns the server's time `minutes` after the start. Negative minutes are before the start. */
const at = (minutes: number) => new Date(Date.parse(start) + minutes * 60_000).toISOString()

describe("saved pages", () => {
  let browser: Browser
  let site: TestSite
  let booking: BookingView
  let departure: string
  let url: string
  /** The handler that responds in place of the server. */
  let answer: Handler
  let close: () => Promise<void>
  let isCut = false
  const sockets = new Set<Socket>()
  /** Forwards connections to the server, unless the network is cut. */
  const forwardTo = (port: number) =>
    createServer((socket) => {
      if (isCut) return void socket.destroy()
      sockets.add(socket)
      pipeline(socket, connect(port, "127.0.0.1"), socket, () => sockets.delete(socket))
    }).listen(0, "127.0.0.1")
  /**
   * Turns offline mode on or off. Also cuts open connections, because Chromium may still send requests from an offline
   * page while it reloads.
   */
  const setOffline = async (context: BrowserContext, isOffline: boolean) => {
    isCut = isOffline
    if (isCut) { for (const socket of sockets) socket.destroy() }
    await context.setOffline(isOffline)
  }
  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)
  beforeEach(async () => {
    site = await open({ now: at(-300) })
    answer = site.handler
    const scope = Effect.runSync(Scope.make())
    const handler: Handler = (request, connection) => answer(request, connection)
    const { port } = await Effect.runPromise(Scope.extend(Serve.listen({ handler, port: 0, grace: "1 second" }), scope))
    isCut = false
    const forwarder = forwardTo(port)
    await once(forwarder, "listening")
    const address = forwarder.address()
    if (address === null || typeof address === "string") throw new Error("The forwarder has no port.")
    url = `http://127.0.0.1:${address.port}/dashboard`
    close = async () => {
      forwarder.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
    const { id } = await site.call("offerings.create", { ...trip, kind: "class", capacity: 16 })
    const created = await site.call("sessions.create", { offering_id: id, starts_at: start })
    const session = /"id":"([^"]+)"/.exec(JSON.stringify(created))?.[1] ?? ""
    departure = `${url}/departures/${session}`
    booking = await site.book(id, {
      session_id: session,
      quantity: 2,
      customer: { name: "Ada Lovelace", email: "ada@example.com" }
    })
    site.set(at(-5))
  })
  afterEach(async () => {
    await close()
    await site.close()
  })

  /** Returns the saved pages, as paths under the dashboard. */
  const savedPaths = (page: Page) =>
    page.evaluate(async (scope) => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return all.flat().flatMap(({ url }) =>
        url.startsWith(scope) && !url.endsWith("/login") ? [url.slice(scope.length)] : []
      )
    }, url)
  const paths = () => ["", departure.slice(url.length)]
  const savesOnly = (page: Page, paths: ReadonlyArray<string>) =>
    vi.waitFor(async () => assert.sameMembers(await savedPaths(page), [...paths]), 10_000)
  /** Waits until the saved page contains the text. */
  const contains = (page: Page, url: string, text: string, before?: () => Promise<void>) =>
    vi.waitFor(async () => {
      await before?.()
      assert.include(await page.evaluate(async (url) => (await caches.match(url))?.text() ?? "", url), text)
    }, 10_000)
  /** Requests a page the same way a live page does. */
  const refresh = (page: Page, url: string) =>
    page.evaluate(async (url) => {
      await (await fetch(url, { headers: { accept: "text/html" } })).text()
    }, url)
  /** Opens the Today page on a phone and waits until the departures are saved. */
  const onPhone = async (use: (page: Page, context: BrowserContext) => Promise<void>) => {
    const signedIn = { url, cookie: await site.signIn("staff") }
    const options = { scripts: true, signedIn, isOffline: true, isRefused: true, isSaved: true }
    await withPage(browser, options, async (page, context) => {
      await page.goto(url)
      await savesOnly(page, paths())
      await use(page, context)
    })
  }
  /** Opens a page in a new tab while offline. */
  const reopen = async (page: Page, context: BrowserContext, url: string): Promise<Page> => {
    await page.close()
    await setOffline(context, true)
    const next = await context.newPage()
    await next.goto(url)
    return next
  }
  const isGone = async (page: Page, context: BrowserContext) => {
    await setOffline(context, true)
    for (const pageUrl of [url, departure]) {
      const next = await context.newPage()
      const failure = await next.goto(pageUrl).then(() => "shown", (error: unknown) => String(error))
      assert.include(failure, "net::ERR_")
      await next.close()
    }
    await setOffline(context, false)
  }
  /** Signs out. The button is in the menu that "More" opens on a phone. */
  const signOut = async (page: Page) => {
    await page.getByRole("button", { name: "More", exact: true }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
  }
  const note = (page: Page) => page.getByText("Saved copy from")
  const checkIn = (page: Page) => page.getByRole("button", { name: "Check in 2: Ada Lovelace" }).click()
  const isAnswered = async (page: Page) => {
    await page.waitForFunction(() => document.querySelector("[data-waiting]:not([hidden])") === null)
  }

  it("open offline, and send each check-in once when online again", () =>
    onPhone(async (page, context) => {
      // The worker also saves the scripts, because the browser can evict them from its cache.
      await (await context.newCDPSession(page)).send("Network.clearBrowserCache")
      const today = await reopen(page, context, url)
      await note(today).waitFor()
      // Go from the Today page to a departure that has never been opened.
      await today.locator("a.departs").first().click()
      await note(today).waitFor()
      const tab = await reopen(today, context, departure)
      // Set the clock to 10 minutes after the page was saved.
      const savedAt = Number(await tab.locator("main").getAttribute("data-saved"))
      await tab.clock.setFixedTime(savedAt + 600_000)
      await tab.reload()
      await checkIn(tab)
      await tab.reload()
      await tab.getByText("Waiting to send").waitFor()
      assert.isNull((await site.booking(booking.id)).attendance)
      site.set(at(10))
      let postCount = 0
      answer = (request, connection) => {
        if (request.method === "POST") postCount++
        return site.handler(request, connection)
      }
      await setOffline(context, false)
      await isAnswered(tab)
      await note(tab).waitFor({ state: "detached" })
      const { attendance } = await site.booking(booking.id)
      assert.strictEqual(attendance?.arrived, 2)
      // The tap is recorded with the server's time, although the saved page was rendered 10 minutes earlier.
      assert.strictEqual(attendance?.at, at(5))
      assert.strictEqual(postCount, 1)
    }))

  it("are updated with each response, and shown on a slow network", () =>
    onPhone(async (page) => {
      await page.goto(departure)
      assert.strictEqual(await note(page).count(), 0)
      await site.call("bookings.check_in", { id: booking.id })
      await page.goto(departure)
      await contains(page, departure, `data-tap="2"`)
      answer = () => new Promise(() => {})
      await page.goto(departure, { waitUntil: "commit" })
      await note(page).waitFor()
      await page.getByText("2 of 2").first().waitFor()
      answer = site.handler
    }))

  it("include only the Today page and existing departures", () =>
    onPhone(async (page) => {
      await page.goto(`${departure}?done=walkInAdded`)
      for (const path of ["/bookings", `/bookings/${booking.id}`, `/departures/${site.org.id}`]) {
        await page.goto(`${url}${path}`)
      }
      await page.goto(url)
      await savesOnly(page, paths())
      answer = () => Promise.resolve(new Response("Not found", { status: 404 }))
      await refresh(page, departure)
      answer = () => Promise.resolve(new Response("Sign in to the network of the campground"))
      await refresh(page, url)
      answer = site.handler
      await savesOnly(page, [""])
      await contains(page, url, "Departures")
    }))

  it("include no departures on a desktop", async () => {
    const signedIn = { url, cookie: await site.signIn("staff") }
    await withPage(browser, { scripts: true, signedIn, isSaved: true, hasTouch: false }, async (page) => {
      await page.goto(url)
      await savesOnly(page, [""])
      await page.goto(url)
      await savesOnly(page, [""])
    })
  })

  it("are shown for at most one day", () =>
    onPhone(async (page, context) => {
      await page.evaluate(async (urls) => {
        const [name = ""] = await caches.keys()
        const cache = await caches.open(name)
        for (const url of urls) {
          const cachedPage = await cache.match(url)
          const headers = new Headers(cachedPage?.headers)
          headers.set("trailbook-saved-at", String(Date.now() - 24 * 3600 * 1000))
          await cache.put(url, new Response(await cachedPage?.text(), { headers }))
        }
      }, [url, departure])
      await isGone(page, context)
      // The next response deletes the old pages.
      await refresh(page, url)
      await savesOnly(page, [""])
    }))

  it("are deleted at sign-out, along with any response that arrives later", () =>
    onPhone(async (page, context) => {
      let release = () => {}
      const releaseSignal = new Promise<void>((resolve) => release = resolve)
      let isHeld = () => {}
      const holdSignal = new Promise<void>((resolve) => isHeld = resolve)
      answer = async (request, connection) => {
        const response = await site.handler(request, connection)
        if (request.url !== departure) return response
        isHeld()
        await releaseSignal
        return response
      }
      const other = await context.newPage()
      await other.goto(`${url}/bookings`)
      const refreshed = refresh(other, departure)
      await holdSignal
      await signOut(page)
      await page.waitForURL("**/sign-in")
      release()
      await refreshed
      await isGone(page, context)
      assert.deepStrictEqual(await savedPaths(page), [])
    }))

  it("are deleted at sign-out even without a network connection", () =>
    onPhone(async (page, context) => {
      await setOffline(context, true)
      await signOut(page)
      // The form is sent after the deletion and fails.
      await page.waitForURL("**/sign-in").catch(() => {})
      await setOffline(context, false)
      await isGone(page, context)
    }))

  it("are deleted after sign-out, even if the sign-in page is unavailable", () =>
    onPhone(async (page, context) => {
      const other = await context.newPage()
      await other.goto(`${url}/bookings`)
      let pageRefresh: Promise<void> | undefined
      answer = async (request, connection) => {
        if (request.url.endsWith("/sign-in")) return new Response("Maintenance")
        // Another tab requests a page just before the session ends.
        if (request.method === "POST") await (pageRefresh ??= refresh(other, departure))
        return site.handler(request, connection)
      }
      await signOut(page)
      await page.getByText("Maintenance").waitFor()
      await isGone(page, context)
    }))

  it("are deleted by the first request after the sign-in session ends", () =>
    onPhone(async (page, context) => {
      await context.clearCookies()
      await refresh(page, departure)
      await savesOnly(page, [])
      await isGone(page, context)
    }))

  it("are deleted by the sign-in page", () =>
    onPhone(async (page, context) => {
      await context.clearCookies()
      await page.goto(new URL("/sign-in", url).href)
      await savesOnly(page, [])
      await isGone(page, context)
    }))

  for (const first of ["/bookings", ""]) {
    it(`are deleted when another outfitter's page opens: ${first || "Today"}`, () =>
      onPhone(async (page, context) => {
        const [name = "", value = ""] = (await site.signInElsewhere()).split("=")
        await context.addCookies([{ name, value, url }])
        // A refresh fetches the Today page without showing it. If a page is shown, its script also deletes the saved
        // pages.
        await (first === "" ? refresh(page, url) : page.goto(`${url}${first}`))
        await savesOnly(page, [])
        await isGone(page, context)
      }))
  }

  it("are never mixed with another outfitter's pages", () =>
    onPhone(async (page, context) => {
      const [name = "", value = ""] = (await site.signInElsewhere()).split("=")
      await context.addCookies([{ name, value, url }])
      await refresh(page, url)
      await savesOnly(page, [])
    }))

  it("are written by the newest version of the service worker", () =>
    onPhone(async (page, context) => {
      await context.newPage().then((other) => other.goto(url))
      answer = async (request, connection) => {
        const response = await site.handler(request, connection)
        if (!request.url.endsWith("/offline.js")) return response
        const text = (await response.text()).replace("Saved copy from", "Saved page from")
        return new Response(text, { headers: response.headers })
      }
      await page.goto(`${url}/bookings`)
      // The browser checks for a new worker after each navigation anyway, but not immediately.
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
      await vi.waitFor(async () =>
        assert.isTrue(
          await page.evaluate(async () => {
            const { active, installing, waiting } = await navigator.serviceWorker.ready
            return active?.state === "activated" && installing === null && waiting === null
          })
        ), 15_000)
      await contains(page, departure, "Saved page from", () => refresh(page, departure))
    }))

  it("work under a base path on the outfitter's website", async () => {
    const embeddedSite = await open({ basePath: "/booking" })
    const signedIn = { url: embeddedSite.url, cookie: await embeddedSite.signIn("staff") }
    await withPage(browser, { scripts: true, signedIn, isOffline: true, isSaved: true }, async (page, context) => {
      const today = `${embeddedSite.url}/booking/dashboard`
      await page.goto(today)
      await contains(page, today, "Welcome")
      const tab = await reopen(page, context, today)
      await note(tab).waitFor()
      await setOffline(context, false)
      await note(tab).waitFor({ state: "detached" })
    })
    await embeddedSite.close()
  })
})
