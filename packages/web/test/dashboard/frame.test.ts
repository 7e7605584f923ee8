import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dashboardSheet } from "../../src/assets/generated.ts"
import { open, type TestSite } from "../guest/TestSite.ts"

describe("the dashboard", () => {
  let site: TestSite
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site.close())

  const ask = async (path: string, role?: "owner" | "staff", options: Parameters<TestSite["ask"]>[1] = {}) =>
    site.ask(path, { ...options, headers: { ...(role && { cookie: await site.signIn(role) }), ...options.headers } })

  it("redirects an anonymous visitor to sign in and back", async () => {
    const { headers, status } = await ask("/dashboard/applications?done=withdrawn")
    assert.strictEqual(status, 303)
    const next = encodeURIComponent("/dashboard/applications?done=withdrawn")
    assert.strictEqual(headers.get("location"), `/sign-in?next=${next}`)
  })

  it("links only to the pages that the staff member can open", async () => {
    const { html } = await ask("/dashboard", "staff")
    assert.include(html, `href="/dashboard/inbox"`)
    assert.notInclude(html, `href="/dashboard/applications"`)
    assert.include((await ask("/dashboard", "owner")).html, `href="/dashboard/applications"`)
    const rejection = await ask("/dashboard/applications", "staff")
    assert.strictEqual(rejection.status, 403)
    assert.include(rejection.html, "Only owners can open this page")
  })

  it("links to a style sheet that the browser caches", async () => {
    const { headers, html } = await ask("/dashboard", "staff")
    const [, path = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
    const sheet = await ask(path)
    assert.strictEqual(sheet.html, dashboardSheet.text)
    assert.strictEqual(sheet.headers.get("content-type"), "text/css; charset=utf-8")
    assert.strictEqual(sheet.headers.get("cache-control"), "public, max-age=31536000, immutable")
    assert.include(headers.get("content-security-policy") ?? "", "style-src 'self';")
    assert.notInclude(html, "<style>")
  })

  it("refuses forms from another site", async () => {
    const logins = async () => (await ask("/dashboard/logins", "owner")).html.match(/Sign out there<\/button>/g)?.length
    const before = await logins()
    const form = { form: {}, headers: { "sec-fetch-site": "cross-site" } }
    const { html, status } = await ask("/dashboard/logins/01890a5d-ac96-774b-bcce-b302099a8057/end", "owner", form)
    assert.strictEqual(status, 403)
    assert.include(html, "Request blocked")
    assert.isAtLeast((await logins()) ?? 0, before ?? 0)
  })

  it("never shows text from the URL as a status message", async () => {
    assert.include(
      (await ask("/dashboard/applications?done=withdrawn", "owner")).html,
      "Assistant disconnected."
    )
    for (const outcome of ["toString", "%3Cb%3Ehi%3C%2Fb%3E", ""]) {
      assert.notInclude((await ask(`/dashboard/applications?done=${outcome}`, "owner")).html, "note done")
    }
  })

  it("shows a rejected form's error without the previous status message", async () => {
    const path = "/dashboard/inbox/saved?done=replySaved"
    assert.include((await ask(path, "owner")).html, "Reply saved.")
    const { html, status } = await ask(path, "owner", { form: { title: "", body: "Park here." } })
    assert.strictEqual(status, 422)
    assert.notInclude(html, "Reply saved.")
  })

  it("counts the items that need attention", async () => {
    const { html } = await ask("/dashboard", "owner")
    assert.notInclude(html, "class=\"count\"")
    await site.ask("/book/salida-river-co/question", {
      form: { name: "Ada", email: "ada@example.com", body: "Do you run trips in April?", shown: "now" }
    })
    assert.match((await ask("/dashboard", "owner")).html, /class="count">1</)
  })
})
