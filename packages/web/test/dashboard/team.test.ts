/** Tests staff members and the audit log. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { describeAuditEntry } from "../../src/dashboard/team/teamPages.tsx"
import { open, type TestSite } from "../guest/TestSite.ts"

describe("the team pages", () => {
  let site: TestSite
  let cookie: string
  beforeAll(async () => {
    site = await open()
    cookie = await site.signIn()
  })
  afterAll(() => site.close())

  const ask = (path: string, form?: Record<string, string>) =>
    site.ask(`/dashboard${path}`, { headers: { cookie }, ...(form && { form }) })

  /** Finds a staff member's ID in the row that contains the email address. */
  const idOf = async (email: string) => {
    const rows = (await ask("/team")).html.split("<li>").slice(1)
    return /team\/([\w-]{36})/.exec(rows.find((row) => row.includes(email)) ?? "")?.[1] ?? ""
  }

  it("link to related pages and mark the only owner", async () => {
    const { html } = await ask("/team")
    for (const path of ["/dashboard/logins", "/dashboard/passkeys", "/dashboard/audit", "/dashboard/team/invite"]) {
      assert.include(html, `href="${path}"`)
    }
    assert.include(html, "This is the only owner")
  })

  it("refuse a second invitation to a staff member, and show field errors", async () => {
    const form = { email: "Bo@salida.example", name: "Bo <i>North</i>", role: "staff", notify: "on" }
    const invited = await ask("/team/invite", form)
    assert.strictEqual(invited.headers.get("location"), "/dashboard/team?done=invited")
    const { html } = await ask("/team?done=invited")
    assert.include(html, "Bo &lt;i>North&lt;/i>")
    assert.include(html, "Invitation sent. The new team member gets a sign-in link by email.")
    const again = await ask("/team/invite", { ...form, role: "owner", notify: "" })
    assert.strictEqual(again.status, 422)
    assert.include(again.html, "Email address: already belongs to a staff member.")
    assert.include(again.html, `value="Bo@salida.example"`)
    assert.notMatch(again.html, /id="notify"[^>]* checked/)
    assert.strictEqual((await ask("/team/invite", { email: "nobody" })).status, 422)
  })

  it("refuse to demote or remove the only owner", async () => {
    const id = await idOf("owner@salida.example")
    const page = await ask(`/team/${id}`)
    assert.include(page.html, "the only owner")
    assert.notInclude(page.html, `/team/${id}/remove`)
    const demoted = await ask(`/team/${id}`, { name: "Ann", role: "staff", notify: "on" })
    assert.strictEqual(demoted.status, 422)
    assert.include(demoted.html, "at least one owner is required")
    assert.include(demoted.html, `value="Ann"`)
    assert.include((await ask(`/team/${id}/remove`)).html, "The only owner cannot be removed")
    assert.strictEqual((await ask(`/team/${id}/remove`, {})).status, 422)
    assert.include((await ask("/team")).html, "owner@salida.example")
  })

  it("update a staff member's details, and remove the staff member", async () => {
    const id = await idOf("bo@salida.example")
    const response = await ask(`/team/${id}`, { name: "Bo", role: "owner" })
    assert.strictEqual(response.status, 303)
    const rows = (await ask("/team")).html.split("<li>").find((row) => row.includes("bo@salida.example")) ?? ""
    assert.include(rows, ">owner</span>")
    assert.include(rows, "no email when a guest writes")
    const before = await site.tables()
    assert.include(
      (await ask(`/team/${id}/remove`)).html,
      "This person is signed out everywhere immediately and cannot sign in again."
    )
    assert.strictEqual(await site.tables(), before)
    assert.strictEqual((await ask(`/team/${id}/remove`, {})).headers.get("location"), "/dashboard/team?done=left")
    assert.strictEqual((await ask(`/team/${id}`)).status, 404)
  })

  it("omit former staff members' names from the audit page", async () => {
    const { html } = await ask("/audit")
    assert.include(html, "Saturday, May 1, 2027")
    assert.include(html, "owner@salida.example removed a former team member from the team.")
    assert.include(html, "owner@salida.example signed in with a sign-in link.")
    assert.include(html, "The server operator added guide@salida.example to the team as staff.")
    assert.notInclude(html, "bo@salida.example")
  })

  it("omit passkey names from the audit page", () => {
    const entry = {
      id: "1",
      at: "",
      by: "staff",
      by_email: "ann@salida.example",
      by_name: "",
      subject: "1",
      subject_email: "",
      name: ""
    }
    const texts = (["passkey.added", "passkey.removed"] as const).map((what) =>
      describeAuditEntry({ ...entry, by: "staff", what })
    )
    assert.deepStrictEqual(texts, ["ann@salida.example added a passkey.", "ann@salida.example removed a passkey."])
  })

  it("name the API key or application that made a change", () => {
    const entry = { id: "1", at: "", by_email: "", subject: "1", subject_email: "", name: "" }
    const key = { ...entry, by: "key", by_name: "Sync …a1B2" } as const
    const application = { ...entry, by: "application", by_name: "Claude" } as const
    assert.deepStrictEqual(
      [
        describeAuditEntry({ ...key, what: "org.exported" }),
        describeAuditEntry({ ...key, by_name: "", what: "customer.erased" }),
        describeAuditEntry({ ...application, what: "org.changed", name: "name,refund_ceiling_cents" }),
        describeAuditEntry({ ...application, what: "webhook.created", name: "hooks.example.com" }),
        describeAuditEntry({ ...application, what: "automation.dial_changed", subject: "brief", name: "do_tell" })
      ],
      [
        "The API key “Sync …a1B2” exported all data.",
        "An API key erased a guest's data.",
        "The assistant “Claude” changed these settings: name, refund limit.",
        "The assistant “Claude” added a webhook for hooks.example.com.",
        "The assistant “Claude” set the “Morning brief” automation to “Act and notify”."
      ]
    )
  })

  it("show exports, settings, and automations on the audit page", async () => {
    await ask("/settings", { group: "name", name: "Salida Rafting" })
    await ask("/automations/brief", { dial: "do_tell" })
    await ask("/export", {})
    const { html } = await ask("/audit")
    for (
      const sentence of [
        "owner@salida.example exported all data.",
        "owner@salida.example changed these settings: name.",
        "owner@salida.example set the “Morning brief” automation to “Act and notify”."
      ]
    ) assert.include(html, sentence)
  })

  it("paginate the audit page", async () => {
    for (let n = 0; n < 60; n++) {
      await ask("/developers/keys/new", { name: `Key ${n}`, scope_read: "on", expires: "" })
    }
    const { html } = await ask("/audit")
    const next = /href="\?(cursor=[^"]+)"/.exec(html)?.[1] ?? ""
    assert.notInclude(html, "created the key “Key 0”")
    const second = await ask(`/audit?${next}`)
    assert.include(second.html, "created the key “Key 0”")
    assert.include(second.html, "First page")
  })

  it("are accessible only to this outfitter's owners", async () => {
    const guide = await site.signIn("staff")
    for (const path of ["/team", "/team/invite", "/audit", "/developers", "/payments", "/export", "/tasks"]) {
      const { status } = await site.ask(`/dashboard${path}`, { headers: { cookie: guide } })
      assert.strictEqual(status, 403, path)
    }
    const form = { email: "eve@salida.example" }
    const response = await site.ask("/dashboard/team/invite", { headers: { cookie: guide }, form })
    assert.strictEqual(response.status, 403)
    const nobody = "01890a5d-ac96-774b-bcce-b302099a8057"
    for (const path of ["", "/remove"]) assert.strictEqual((await ask(`/team/${nobody}${path}`)).status, 404)
    assert.strictEqual((await ask(`/team/${nobody}/remove`, {})).status, 404)
  })

  it("redirect a demoted owner to a page for staff", async () => {
    await ask("/team/invite", { email: "eve@salida.example", role: "owner" })
    const id = await idOf("owner@salida.example")
    const response = await ask(`/team/${id}`, { name: "", role: "staff" })
    assert.strictEqual(response.headers.get("location"), "/dashboard?done=saved")
    assert.strictEqual((await ask("/team")).status, 403)
  })
})
