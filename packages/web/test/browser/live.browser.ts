/** Tests live pages in Chromium: nine tabs, updates while a user types, and hidden tabs. */
import { formBody } from "@trailbook/http/request/formBody"
import { noBody } from "@trailbook/http/request/noBody"
import type { AnyRoute, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { scripts } from "../../src/assets/generated.ts"
import { open, type TestServer } from "../live/TestServer.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"

/** The time limit for a change to appear. */
const withinMs = 3000

describe("live pages", () => {
  let browser: Browser
  let context: BrowserContext
  let server: TestServer
  let passing: ReturnType<typeof setInterval>
  const pageState = { isSignedIn: true, saysHead: true, isReversed: false }
  const submission = { begun: () => {}, response: Promise.resolve() }

  /** Renders the offerings, including everything that a page update must preserve. */
  const html = async () => {
    const head = pageState.saysHead ? ` data-head="${await server.here.head()}"` : ""
    const { data: rows } = await server.here.call("offerings.list", {}) as unknown as {
      readonly data: ReadonlyArray<{ readonly id: string; readonly name: string }>
    }
    const data = pageState.isReversed ? rows.toReversed() : rows
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${data.length} offerings</title>
      <link rel="icon" href="data:,">
      <script type="module" src="/assets/${scripts.dashboard.file}"></script></head>
      <body><nav data-live-too><b id="count">${data.length}</b></nav>
      <output data-live-state data-live="Live" data-lost="Reconnecting…" data-out="Signed out" hidden></output>
      <main tabindex="-1" data-live="/dashboard/stream"${head}>
        <ul style="height: 60px; overflow: auto">${
      data.map(({ id, name }) => `<li><a href="/own/${id}">${name}</a></li>`).join("")
    }</ul>
        <details><summary>More</summary><p>${data.length} in all</p></details>
        <form method="post" action="/own/send">
          <input type="hidden" name="key" value="${data.length}">
          <label>Note <textarea name="note"></textarea></label>
          <label>Subject <input name="subject" value="Number ${data.length}"></label>
          <label><input type="checkbox" name="urgent"> Urgent</label>
          <button>Send</button>
        </form>
        ${
      data.some(({ name }) => name === "Raft")
        ? ""
        : `<form action="/own/words"><label>Words <input name="words"></label></form>`
    }
        <form action="/own/other"><label>Other <input name="other" value="${data.length}"></label></form>
      </main></body></html>`
  }

  const page: Route<"anyone", undefined> = {
    method: "GET",
    path: "/own",
    name: "own",
    caller: "anyone",
    body: noBody,
    answer: () =>
      pageState.isSignedIn
        ? Effect.map(Effect.promise(html), (body) => ({
          status: 200,
          body,
          headers: { "content-type": "text/html; charset=utf-8" }
        }))
        : Effect.succeed({ status: 303, body: null, headers: { location: "/sign-in" } })
  }
  const send: Route<"anyone"> = {
    method: "POST",
    path: "/own/send",
    name: "own.send",
    caller: "anyone",
    body: formBody,
    answer: () =>
      Effect.promise(async () => {
        submission.begun()
        await submission.response
        return { status: 303, body: null, headers: { location: "/own" } }
      })
  }

  beforeAll(async () => {
    browser = await getBrowser()
  })
  afterAll(closeContexts)

  beforeEach(async () => {
    Object.assign(pageState, { isSignedIn: true, saysHead: true, isReversed: false })
    server = await open([page, send] as ReadonlyArray<AnyRoute>)
    await add("Kayak")
    context = await browser.newContext({ viewport: { width: 800, height: 600 }, serviceWorkers: "block" })
    const [name = "", value = ""] = (await server.here.signIn()).split("=")
    await context.addCookies([{ name, value, url: server.url }])
    passing = setInterval(() => void server.pass(100), 100)
  })
  afterEach(async () => {
    clearInterval(passing)
    await context.close()
    await server.end()
  })

  const add = (name: string) => server.here.call("offerings.create", { name, kind: "rental" })

  const openTab = async (): Promise<Page> => {
    const tab = await context.newPage()
    tab.setDefaultTimeout(10_000)
    await tab.goto(`${server.url}/own`)
    await tab.getByText("Live", { exact: true }).waitFor()
    return tab
  }

  const appears = async (tab: Page, name: string) =>
    tab.getByText(name, { exact: true }).waitFor({ timeout: withinMs, state: "attached" })

  /** Counts requests for a path from all tabs. */
  const counting = (path: string) => {
    const count = { times: 0 }
    context.on("request", (request) => {
      if (new URL(request.url()).pathname === path) count.times++
    })
    return count
  }

  const setHidden = (tab: Page, isHidden: boolean) =>
    tab.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden })
      document.dispatchEvent(new Event("visibilitychange"))
    }, isHidden)

  it("show a change in all nine tabs within three seconds", async () => {
    const streams = counting("/dashboard/stream")
    const tabs = []
    for (let nth = 0; nth < 9; nth++) tabs.push(await openTab())
    assert.strictEqual(streams.times, 1)
    await add("Raft")
    await Promise.all(tabs.map((tab) => appears(tab, "Raft")))
    for (const tab of tabs) {
      assert.strictEqual(await tab.title(), "2 offerings")
      assert.strictEqual(await tab.locator("#count").innerText(), "2")
    }
    // A change by the other outfitter must cause no requests, so the expected count is one per tab.
    const requests = counting("/own")
    await server.there.call("offerings.create", { name: "Boat", kind: "rental" })
    await add("Canoe")
    await Promise.all(tabs.map((tab) => appears(tab, "Canoe")))
    assert.strictEqual(requests.times, 9)
  })

  it("refetch after loading only if they have no event cursor", async () => {
    const requests = counting("/own")
    const tab = await openTab()
    await add("Raft")
    await appears(tab, "Raft")
    assert.strictEqual(requests.times, 2)
    pageState.saysHead = false
    await openTab()
    // The page may send its second request before it shows that it is live.
    await expect.poll(() => requests.times, { timeout: 10_000 }).toBe(4)
  })

  it("keep input, selection, open details, and scroll position", async () => {
    for (let nth = 0; nth < 12; nth++) await add(`Boat ${nth}`)
    const tab = await openTab()
    await tab.locator("summary").click()
    await tab.getByLabel("Urgent").check()
    await tab.locator("ul").evaluate((list) => list.scrollTo(0, 80))
    const note = tab.getByLabel("Note")
    await note.pressSequentially("We meet at the ")
    await note.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 7))
    await add("Raft")
    await appears(tab, "Raft")
    assert.deepStrictEqual(
      await tab.evaluate(() => {
        const area = document.querySelector("textarea")
        const of = (name: string) => document.querySelector<HTMLInputElement>(`input[name=${name}]`)
        return {
          note: area?.value,
          selected: [area?.selectionStart, area?.selectionEnd],
          isFocused: document.activeElement === area,
          isOpen: document.querySelector("details")?.open,
          inAll: document.querySelector("details p")?.textContent,
          isUrgent: of("urgent")?.checked,
          key: of("key")?.value,
          subject: of("subject")?.value,
          other: of("other")?.value,
          scrolled: document.querySelector("ul")?.scrollTop
        }
      }),
      {
        note: "We meet at the ",
        selected: [3, 7],
        isFocused: true,
        isOpen: true,
        inAll: "14 in all",
        isUrgent: true,
        // The form is being edited, so these fields keep their old values.
        key: "13",
        subject: "Number 13",
        other: "14",
        scrolled: 80
      }
    )
    await note.press("End")
    await note.pressSequentially("boathouse.")
    assert.strictEqual(await note.inputValue(), "We meet at the boathouse.")
  })

  it("keep a form in use even if an update removes it", async () => {
    const [typing, looking] = [await openTab(), await openTab()]
    await typing.getByLabel("Words").fill("See you at")
    await add("Raft")
    await Promise.all([appears(typing, "Raft"), appears(looking, "Raft")])
    assert.strictEqual(await looking.getByLabel("Words").count(), 0)
    assert.strictEqual(await typing.getByLabel("Words").inputValue(), "See you at")
  })

  it("keep focus on a link when items are inserted before it", async () => {
    const tab = await openTab()
    const href = () => tab.evaluate(() => document.activeElement?.getAttribute("href"))
    await add("Boat")
    await add("Raft")
    await appears(tab, "Raft")
    await tab.getByRole("link", { name: "Raft" }).focus()
    const before = await href()
    pageState.isReversed = true
    await add("Canoe")
    await appears(tab, "Canoe")
    assert.strictEqual(await href(), before)
  })

  it("move focus to the page if the focused element is removed", async () => {
    const raft = await add("Raft")
    const tab = await openTab()
    await tab.getByRole("link", { name: "Raft" }).focus()
    await server.here.call("offerings.delete", { id: raft.id })
    await tab.getByRole("link", { name: "Raft" }).waitFor({ state: "detached" })
    assert.strictEqual(await tab.evaluate(() => document.activeElement?.tagName), "MAIN")
  })

  it("hand the stream to another tab when the listening tab closes", async () => {
    const [first, second] = [await openTab(), await openTab()]
    await add("Raft")
    await appears(second, "Raft")
    await first.close()
    await add("Canoe")
    await appears(second, "Canoe")
  })

  it("pause in a hidden tab and catch up later", async () => {
    const tab = await openTab()
    await setHidden(tab, true)
    // The stream is logged when it ends, so the hidden tab has closed it by then.
    while (!server.log.some(({ op }) => op === "dashboard.stream")) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    const requests = counting("/own")
    await add("Raft")
    const other = await openTab()
    await add("Canoe")
    await appears(other, "Canoe")
    const before = requests.times
    assert.strictEqual(await tab.getByText("Raft").count(), 0)
    await setHidden(tab, false)
    await appears(tab, "Canoe")
    assert.strictEqual(requests.times, before + 1)
  })

  it("do not update while a form is being submitted", async () => {
    const tab = await openTab()
    const submitStart = new Promise<void>((resolve) => {
      submission.begun = resolve
    })
    let answer = () => {}
    submission.response = new Promise<void>((resolve) => {
      answer = resolve
    })
    const other = await openTab()
    await tab.getByLabel("Note").fill("Bring a towel.")
    const clicked = tab.getByRole("button", { name: "Send" }).click({ noWaitAfter: true })
    await submitStart
    await clicked
    const requests = counting("/own")
    await add("Raft")
    await appears(other, "Raft")
    assert.strictEqual(requests.times, 1)
    answer()
    await appears(tab, "Raft")
    assert.strictEqual(requests.times, 2)
  })

  it("show that the user is signed out when the sign-in session ends", async () => {
    const tab = await openTab()
    await tab.getByLabel("Note").fill("Bring a towel.")
    pageState.isSignedIn = false
    await server.here.endLogins()
    await tab.getByText("Signed out", { exact: true }).waitFor()
    assert.strictEqual(await tab.getByLabel("Note").inputValue(), "Bring a towel.")
  })

  it("show that they are reconnecting while the connection is lost", async () => {
    const tab = await openTab()
    await context.route("**/dashboard/stream", (route) => route.abort())
    await server.here.endLogins()
    await tab.getByText("Reconnecting…", { exact: true }).waitFor()
    await context.unroute("**/dashboard/stream")
    const [name = "", value = ""] = (await server.here.signIn()).split("=")
    await context.addCookies([{ name, value, url: server.url }])
    await tab.getByText("Live", { exact: true }).waitFor()
  })

  it("update a dashboard page together with its menu", async () => {
    const requests = counting("/dashboard")
    const tab = await context.newPage()
    await tab.goto(`${server.url}/dashboard`)
    await tab.getByText("Live", { exact: true }).waitFor()
    await server.here.call("org.update", { name: "Salida Rafts" })
    await tab.locator("nav").getByText("Salida Rafts").waitFor({ state: "attached", timeout: withinMs })
    assert.match(await tab.title(), / · Salida Rafts$/)
    assert.strictEqual(requests.times, 2)
  })

  it("open one stream per tab without Web Locks", async () => {
    await context.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }))
    const streams = counting("/dashboard/stream")
    const [first, second] = [await openTab(), await openTab()]
    await add("Raft")
    await Promise.all([appears(first, "Raft"), appears(second, "Raft")])
    assert.strictEqual(streams.times, 2)
  })
})
