/**
 * Tests the accessibility (axe) and layout of the booking page: on narrow and wide screens, in light and dark mode,
 * with content that is hard to lay out.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { season } from "../season.ts"
import { serve, type ServedWorld } from "../World.ts"
import { closeContexts, getBrowser } from "./Chromium.ts"
import { holds } from "./looks.ts"

let browser: Browser
let page: Page
const worlds: Array<ServedWorld> = []

beforeAll(async () => {
  browser = await getBrowser()
  page = await browser.newPage()
})
afterAll(async () => {
  await closeContexts()
  await Promise.all(worlds.map(({ close }) => close()))
})

const openWorld = async (): Promise<ServedWorld> => {
  const world = await serve()
  worlds.push(world)
  return world
}

const landing = "/book/salida-river-co"

describe("the booking page", () => {
  it("renders correctly for an outfitter with a full season", async () => {
    const world = await openWorld()
    const { guide, kayak, raft, sessions } = await season(world)
    await world.call("org.update", {
      away_notice: "We are on the river until Monday.",
      reply_window: "within two hours"
    })
    const paths = {
      offerings: landing,
      class: `${landing}/${raft}`,
      "a month with nothing": `${landing}/${raft}?month=2027-07`,
      appointment: `${landing}/${guide}?lang=es`,
      rental: `${landing}/${kayak}?quantity=2&periods=3`,
      details: `${landing}/${raft}/details?slot=${sessions[4]}&date=2027-05-05`,
      "a place that is gone": `${landing}/${raft}/details?slot=${sessions[3]}&date=2027-05-04`,
      question: `${landing}/question`,
      asked: `${landing}/question?sent=1`,
      nothing: "/book/nobody",
      embedded: `${landing}/${raft}?embed=1&accent=8a2be2`,
      "a light accent": `${landing}/${raft}?accent=ffee00`,
      "a black accent": `${landing}/${raft}?accent=000000`
    }
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(world.origin + path)
      await holds(page, name)
    }
    await page.goto(`${world.origin}${landing}/${raft}/details?slot=${sessions[4]}&date=2027-05-05`)
    await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""))
    await page.getByRole("button", { name: "Confirm booking" }).click()
    await page.getByText("Check these fields").waitFor()
    await holds(page, "a refused form")
  })

  it("renders correctly for an outfitter without offerings", async () => {
    const world = await openWorld()
    await page.goto(world.origin + landing)
    await holds(page, "No activities yet.")
  })

  it("renders twelve offerings with names that are hard to lay out", async () => {
    const world = await openWorld()
    const names = [
      "Donaudampfschifffahrtsgesellschaftskapitänsmützenverleihstation",
      "Rechtsschutzversicherungsgesellschaften-Kanuwanderwochenende",
      "🛶🌊🏔️ Paddle 👩‍👩‍👧‍👦",
      "رحلة التجديف في النهر مع مرشد",
      "טיול קיאקים בנהר הירדן",
      "長江三峡ラフティング半日ツアー",
      "x".repeat(120)
    ]
    await world.call("org.update", { name: "Österreichische Wildwasserabenteuergesellschaft mbH رحلات" })
    const offerings = []
    for (let n = 0; n < 12; n++) {
      offerings.push(
        await world.call("offerings.create", {
          name: names[n % names.length],
          kind: n % 2 === 0 ? "appointment" : "rental",
          description: `${names[n % names.length]} `.repeat(4).trim(),
          location: names[(n + 1) % names.length],
          price_cents: 10 ** Math.min(n, 10),
          max_per_booking: n === 3 ? 10_000 : 10,
          duration_minutes: [5, 90, 1440, 43_200][n % 4],
          max_periods: n % 2 === 0 ? 1 : 60
        })
      )
    }
    await page.goto(world.origin + landing)
    await holds(page, "twelve offerings")
    for (const { id } of offerings.slice(0, 7)) {
      await page.goto(`${world.origin}${landing}/${id}`)
      await holds(page, "an offering")
    }
  })

  it("renders five hundred start times per day", async () => {
    const world = await openWorld()
    const { id } = await world.call("offerings.create", {
      name: "Lockers",
      kind: "appointment",
      capacity: 9,
      duration_minutes: 5,
      slot_interval_minutes: 5
    })
    const hours = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
      { weekday, start_time: "00:00", end_time: "24:00" },
      { weekday, start_time: "00:02", end_time: "24:00" }
    ])
    await world.call("offerings.set_hours", { id, hours })
    await page.goto(`${world.origin}${landing}/${id}?date=2027-05-03`)
    await holds(page, "five hundred starts")
  })
})

it.each<[string, string, RegExp]>([
  ["nothing", "<p>Trips</p>", /^nothing$/],
  [
    "text without contrast in dark mode",
    `<p style="color: light-dark(#000, #444); background: light-dark(#fff, #000)">Trips</p>`,
    /, dark, 320 px.*color-contrast/
  ],
  [
    "a button without a name that only dark mode shows",
    "<style>@media (prefers-color-scheme: light) { button { display: none } }</style><button></button>",
    /, dark, 320 px.*button-name/
  ],
  [
    "a button without a name that only a wide window shows",
    "<style>@media (max-width: 800px) { button { display: none } }</style><button></button>",
    /, light, 1280 px.*button-name/
  ],
  ["content that is wider than a phone", `<p style="width: 400px">Trips</p>`, /, light, 320 px.*"overflow":\d\d/]
])("control: the check for accessibility and layout detects %s", async (_, html, pattern) => {
  // The previous page's policy would block the styles.
  await page.goto("about:blank")
  await page.setContent(
    `<!doctype html><html lang="en"><title>Trips</title><style>:root { color-scheme: light dark }</style>
<main><h1>Trips</h1>${html}</main>`
  )
  const failure = await holds(page, "a page").then(
    () => "nothing",
    ({ actual, message }: { readonly actual: unknown; readonly message: string }) =>
      `${message} ${JSON.stringify(actual)}`
  )
  assert.match(failure, pattern)
})
