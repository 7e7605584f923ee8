/** A page of its own in a browser, which may complain of nothing. */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { assert } from "vitest"

interface Options {
  readonly scripts: boolean
  /** As wide as a phone, when nothing is said. */
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Where the cookie of whoever is signed in goes. */
  readonly signedIn?: { readonly url: string; readonly cookie: string }
  /** Whether forms are refused in it, which is answered with 422: the console calls that an error. */
  readonly isRefused?: boolean
}

export const withPage = async <A>(
  browser: Browser,
  { isRefused = false, scripts, signedIn, viewport = { width: 375, height: 800 } }: Options,
  use: (page: Page, context: BrowserContext) => Promise<A>
): Promise<A> => {
  const context = await browser.newContext({ javaScriptEnabled: scripts, viewport })
  if (signedIn !== undefined) {
    const [name = "", value = ""] = signedIn.cookie.split("=")
    await context.addCookies([{ name, value, url: signedIn.url }])
  }
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const wrong: Array<string> = []
  page.on("console", (message) => {
    if (message.type() !== "error" || (isRefused && message.text().includes("status of 422"))) return
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
