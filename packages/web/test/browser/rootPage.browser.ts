/** Tests a server's front page, its API root, and links to one operation in the reference. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { serve, type ServedWorld } from "../World.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"

let browser: Browser
let page: Page
let world: ServedWorld
beforeAll(async () => {
  browser = await getBrowser()
  page = await browser.newPage()
  world = await serve({ whose: { name: "Salida River Co.", slug: "salida-river-co" } })
})
afterAll(async () => {
  await closeContexts()
  await world.close()
})

it("the root pages are accessible and link to the booking page", async () => {
  await page.goto(`${world.origin}/v1`)
  await holds(page, "the root of the API")
  await page.getByRole("link", { name: "Go to the home page" }).click()
  await holds(page, "the root")
  await page.getByRole("link", { name: "Book at Salida River Co." }).click()
  await page.waitForURL(`${world.origin}/book/salida-river-co`)
})

it("the API reference opens the operation in its URL and updates the URL", async () => {
  const open = page.locator(".opblock.is-open")
  await page.goto(`${world.origin}/reference#/bookings/bookings.create`)
  await open.waitFor()
  assert.match(await open.innerText(), /^POST\s+\/bookings\b/)
  await page.locator(`[data-path="/offerings/{id}/availability"]`).click()
  await page.waitForURL(/#\/.*availability\.get$/)
})
