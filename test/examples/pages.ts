import { assert } from "vitest"

/** Requests one of the program's paths, the way a browser does. */
export type Ask = (path: string, init?: RequestInit) => Response | Promise<Response>

/** Asserts that the program serves the booking pages under `/booking` and that other websites can embed the widget. */
export const showsPages = async (ask: Ask, offeringName: string): Promise<void> => {
  const headers = { accept: "text/html" }
  const get = (path: string) => ask(path, { headers })
  const page = await get("/booking/book/salida-river-co")
  assert.strictEqual(page.status, 200)
  const html = await page.text()
  assert.include(html, offeringName)
  // All links must stay under `/booking`.
  for (const [, link = ""] of html.matchAll(/(?:href|src)="(\/[^"]*)"/g)) assert.match(link, /^\/booking\//)
  const [, script = ""] = /src="([^"]+)"/.exec(await (await get("/booking/widget/salida-river-co")).text()) ?? []
  for (const path of [script, "/booking/widget.js"]) assert.strictEqual((await get(path)).status, 200, path)
  const [, offering = ""] = /href="(\/booking\/book\/salida-river-co\/[0-9a-f-]{36})/.exec(html) ?? []
  const times = { method: "POST", body: new URLSearchParams({ quantity: "1" }), headers }
  const response = await ask(`${offering}/times`, times)
  assert.strictEqual(response.status, 200)
  assert.include(await response.text(), "<form")
}
