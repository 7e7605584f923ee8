/** Tests passkeys in Chromium with a virtual authenticator. */
import * as Serve from "@trailbook/http/serve"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { open, type World } from "../passkey/World.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { keysOf } from "./keyboard.ts"
import { holds } from "./looks.ts"

describe("a passkey user in Chromium", () => {
  const scope = Effect.runSync(Scope.make())
  let browser: Browser
  let world: World
  let root: string
  beforeAll(async () => {
    browser = await getBrowser()
    world = await open()
    const { port } = await Effect.runPromise(
      Scope.extend(Serve.listen({ handler: world.handler, port: 0, grace: "1 second" }), scope)
    )
    // WebAuthn requires a domain name, so an IP address does not work.
    root = `http://localhost:${port}`
  })
  afterAll(async () => {
    await closeContexts()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Opens a page with the given cookie and an authenticator that accepts or rejects requests. */
  const within = async <A>(
    { cookie, says = true, scripts = true }: { cookie?: string; says?: boolean; scripts?: boolean },
    use: (page: Page, context: BrowserContext) => Promise<A>
  ): Promise<A> => {
    const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 375, height: 800 } })
    const [name = "", value = ""] = (cookie ?? "").split("=")
    if (cookie !== undefined) await context.addCookies([{ name, value, url: root }])
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const devices = await context.newCDPSession(page)
    await devices.send("WebAuthn.enable")
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: says,
        automaticPresenceSimulation: true
      }
    })
    try {
      return await use(page, context)
    } finally {
      await context.close()
    }
  }

  it("can add, use, and remove a passkey", async () => {
    const { ann } = await world.outfitter("Salida")
    await within({ cookie: await world.signedIn(ann) }, async (page, context) => {
      const wrong: Array<string> = []
      page.on("console", (message) => message.type() === "error" && wrong.push(message.text()))
      page.on("pageerror", (error) => wrong.push(error.message))
      await page.goto(`${root}/dashboard/passkeys`)
      // Use only the keyboard, because some users choose passkeys to avoid typing.
      const { reads, to, type, use } = keysOf(page)
      await to("Device name")
      await type("Phone <b>")
      await use("Add a passkey")
      await reads("Passkey added. You can use it to sign in.")
      await page.getByText("Phone <b>").waitFor()
      await holds(page, "/dashboard/passkeys")

      // Sign in with the device, without typing.
      await context.clearCookies()
      await page.goto(`${root}/dashboard/passkeys`)
      await use("Sign in with a passkey")
      await use("Use a passkey")
      await page.getByText("last used on").waitFor()
      assert.strictEqual(new URL(page.url()).pathname, "/dashboard/passkeys")

      await use("Remove Phone <b>")
      await reads("No passkeys. With a passkey, you sign in with your fingerprint, face, or device PIN.")
      await context.clearCookies()
      await page.goto(`${root}/sign-in/passkey`)
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await page.getByText("This passkey is not registered here.").waitFor()
      assert.deepStrictEqual(wrong.filter((text) => !text.includes("403")), [])
    })
  })

  it("sees the next step if the device does not respond", () =>
    within({ says: false }, async (page) => {
      await page.goto(`${root}/sign-in/passkey`)
      await holds(page, "/sign-in/passkey")
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await page.getByText("Your device did not respond.").waitFor()
      await page.getByRole("button", { name: "Try again" }).waitFor()
      await holds(page, "/sign-in/passkey, asked")
      await page.getByRole("link", { name: "Back" }).click()
      await page.getByLabel("Email address").waitFor()
    }))

  it("sees that passkeys require JavaScript", () =>
    within({ scripts: false }, async (page) => {
      await page.goto(`${root}/sign-in/passkey`)
      await page.getByRole("button", { name: "Use a passkey" }).click()
      await page.getByText("Passkeys require JavaScript.").waitFor()
    }))
})
