/** Opens a new page, and fails the test if the page logs an error. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { assert } from "vitest"

interface Options {
  readonly scripts: boolean
  /** The viewport. Default: the width of a phone. */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** The session cookie and the URL to set it for. */
  readonly signedIn?: { readonly url: string; readonly cookie: string }
  /** Whether to ignore the console error that Chromium logs for a missing page or a form rejected with 409 or 422. */
  readonly isRefused?: boolean
  /** Whether to ignore the console errors that Chromium logs for requests made while offline. */
  readonly isOffline?: boolean
  /** Whether the service worker can save pages. Requests from pages with a service worker cannot be intercepted. */
  readonly isSaved?: boolean
  readonly hasTouch?: boolean
}

export const withPage = async <A>(
  browser: Browser,
  {
    isOffline = false,
    isRefused = false,
    isSaved = false,
    hasTouch = isSaved,
    scripts,
    signedIn,
    viewport = { width: 375, height: 800 }
  }: Options,
  use: (page: Page, context: BrowserContext) => Promise<A>
): Promise<A> => {
  const context = await browser.newContext({
    javaScriptEnabled: scripts,
    viewport,
    hasTouch,
    serviceWorkers: isSaved ? "allow" : "block"
  })
  if (signedIn !== undefined) {
    const [name = "", value = ""] = signedIn.cookie.split("=")
    await context.addCookies([{ name, value, url: signedIn.url }])
  }
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const wrong: Array<string> = []
  page.on("console", (message) => {
    if (message.type() !== "error" || (isRefused && /status of 4(04|09|22)/.test(message.text()))) return
    if (isOffline && message.text().includes("net::ERR_")) return
    wrong.push(message.text())
  })
  page.on("pageerror", (error) => wrong.push(error.message))
  try {
    const answer = await use(page, context)
    assert.deepStrictEqual(wrong, [])
    return answer
  } finally {
    await context.close()
  }
}
