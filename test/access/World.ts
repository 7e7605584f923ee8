/** An outfitter with one resource for each page address, and the credentials of every kind of actor. */
import { createHash } from "node:crypto"
import { open as openPlace, png, type TestSite, trip } from "../../packages/web/test/guest/TestSite.ts"
import * as TestProvider from "../payments/TestProvider.ts"
import type { Asker } from "./pages.ts"

export interface World {
  readonly place: TestSite
  /** Restores the tables that `open` filled. */
  readonly reset: () => Promise<void>
  /**
   * Returns a route's path, filled with the IDs of existing resources. Only the guest gets the handle of a real
   * booking.
   */
  readonly pathOf: (route: string, asker: Asker) => string
  readonly headersOf: (asker: Asker) => Readonly<Record<string, string>>
}

/** The departure time of the group's session. */
const starts = "2027-05-10T15:00:00Z"

/** Query strings for the routes that need one. */
const queries: Readonly<Record<string, string>> = {
  "/dashboard/offerings/:id/sessions/:session/cancel": `?at=${encodeURIComponent(starts)}`
}

const redirect = "https://assistant.example/callback"
const verifier = "v".repeat(43)

export const open = async (): Promise<World> => {
  const site = await openPlace({ publicUrl: "https://desk.example" })
  const { call } = site
  const owner = await site.signIn("owner")
  const staff = await site.signIn("staff")
  const stranger = await site.signInElsewhere()
  const get = async (path: string) => (await site.ask(path, { headers: { cookie: owner } })).html
  const post = (path: string, form: Readonly<Record<string, string>> | FormData) =>
    site.ask(path, { headers: { cookie: owner }, form })
  const findId = (text: string, prefix: string): string => {
    const id = new RegExp(`${prefix}([\\w-]{8,})`).exec(text)?.[1]
    if (id === undefined) throw new Error(`No ID found after ${prefix}.`)
    return id
  }
  const findFirst = async (name: string, input: object = {}) =>
    findId(JSON.stringify(await call(name, input)), `"id":"`)

  const { id: offering } = await call("offerings.create", trip)
  const { id: group } = await call("offerings.create", {
    name: "Raft",
    kind: "class",
    duration_minutes: 60,
    capacity: 9
  })
  const session = await findFirst("sessions.create", { offering_id: group, starts_at: starts })
  const booking = await site.book(offering)
  const { id: closure } = await call("closures.create", {
    from_date: "2099-06-08",
    to_date: "2099-06-09",
    reason: "High water"
  })
  const cashPayment = { id: booking.id, method: "cash", amount_cents: 100, allow_overpayment: true }
  const { id: entry } = await call("payments.record", cashPayment)
  const { id: hook } = await call("webhooks.create", { url: "https://example.com/hook" })
  const { id: discount } = await call("discounts.create", { code: "SPRING", percent_bps: 1000 })
  const { id: savedReply } = await call("saved_replies.create", { title: "Towel", body: "Bring a towel." })
  const { conversation_id: thread } = await call("messages.send", { booking_id: booking.id, body: "See you soon." })
  const files = new FormData()
  for (const [name, value] of Object.entries({ do: "send", body: "A map.", key: crypto.randomUUID() })) {
    files.set(name, value)
  }
  files.append("files", new File([png], "map.png"))
  await post(`/dashboard/inbox/${String(thread)}`, files)
  const file = findId(JSON.stringify(await call("conversations.get", { id: thread })), `"attachments":\\[\\{"id":"`)
  const inquiry = { name: "Bo", email: "bo@example.com", body: "Is it cold?", shown: "now" }
  await site.ask("/book/salida-river-co/question", { form: inquiry })
  const question = await findFirst("conversations.list", { q: "bo@example.com" })
  const task = await site.giveUp("refund", booking.id, "Balance too low")

  await site.connect()
  const access = { key: TestProvider.access.key }
  await post("/dashboard/payments/connect", access)
  await site.ask("/dashboard/payments/connect", { headers: { cookie: stranger }, form: access })

  const response = await post("/dashboard/developers/keys/new", {
    name: "Website",
    scope_read: "on",
    scope_write: "on",
    scope_admin: "on",
    expires: "30"
  })
  const key = /tb_live_\w{20,}/.exec(response.html)?.[0] ?? ""
  const keyId = findId(await get("/dashboard/developers"), "keys/")
  const member = findId(
    (await get("/dashboard/team")).split("<li>").find((row) => row.includes("guide@")) ?? "",
    "team/"
  )
  const token = await connectApp(site, owner)
  const grant = findId(await get("/dashboard/applications"), "applications/")
  const login = findId(await get("/dashboard/logins"), "logins/")

  const ids: ReadonlyArray<readonly [of: RegExp, id: string]> = [
    [/\/applications\//, grant],
    [/\/logins\//, login],
    [/\/bookings\//, booking.id],
    [/\/guests\//, booking.customer_id],
    [/\/departures\//, session],
    [/\/closures\//, closure],
    [/\/discounts\//, discount],
    [/\/saved\//, savedReply],
    [/\/inbox\/:id\/erase/, question],
    [/\/inbox\//, String(thread)],
    [/\/files\//, file],
    [/\/offerings\/:id\/sessions/, group],
    [/\/offerings\//, offering],
    [/\/keys\//, keyId],
    [/\/webhooks\//, hook],
    [/\/team\//, member],
    [/\/tasks\//, task]
  ]
  // A mailed link opens the messages once and sets a cookie.
  const firstLink = await site.link(booking)
  const visit = await site.ask(`/b/${booking.handle}/messages/${firstLink}`, { form: {} })
  const link = await site.link(booking)
  const proof = await site.proof(booking.customer.email)
  const pass = visit.headers.get("set-cookie")?.split(";")[0] ?? ""
  const headers: { readonly [A in Asker]: Readonly<Record<string, string>> } = {
    "no link": {},
    "a visitor": {},
    "a guest": { cookie: pass },
    "an API key": { authorization: `Bearer ${key}` },
    "a token": { authorization: `Bearer ${token}` },
    staff: { cookie: staff },
    "an owner": { cookie: owner },
    "another org's owner": { cookie: stranger }
  }

  return {
    place: site,
    reset: await site.restorable(),
    headersOf: (asker) => headers[asker],
    pathOf: (route, asker) => {
      const path = route.replace(/^\w+ /, "")
      const values: Readonly<Record<string, string | undefined>> = {
        slug: asker === "no link" ? "no-such-outfitter" : site.org.slug,
        handle: asker === "a guest" ? booking.handle : "x".repeat(28),
        token: asker === "no link" ? "x".repeat(28) : booking.check_in_url.replace("/c/", ""),
        offering,
        session,
        entry,
        automation: "brief",
        file: "desk.css",
        client: `app_${"0".repeat(40)}`,
        link: path.includes("/email/") ? proof : link,
        id: ids.find(([of]) => of.test(path))?.[1]
      }
      const filledPath = path.replace(/:(\w+)/g, (_, name: string) => {
        const value = values[name]
        if (value === undefined) throw new Error(`Add a value for ${name} of ${route} to test/access/World.ts.`)
        return value
      })
      return filledPath + (queries[path] ?? "")
    }
  }
}

/** Registers an application, approves it as the owner with all scopes, and returns its access token. */
const connectApp = async (site: TestSite, cookie: string): Promise<string> => {
  const registered = await site.handler(
    new Request(`${site.url}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Assistant", redirect_uris: [redirect] })
    })
  )
  const { client_id } = await registered.json() as { readonly client_id: string }
  const params = new URLSearchParams({
    client_id,
    redirect_uri: redirect,
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: "https://desk.example/mcp",
    scope: "read write admin",
    state: "1"
  })
  const form = { decision: "allow", read: "yes", write: "yes", admin: "yes" }
  const { html } = await site.ask(`/authorize?${params.toString()}`, { headers: { cookie }, form })
  const code = /[?&;]code=([\w-]+)/.exec(html)?.[1] ?? ""
  const response = await site.ask("/token", {
    form: { grant_type: "authorization_code", client_id, code, code_verifier: verifier, redirect_uri: redirect }
  })
  const { access_token: token } = JSON.parse(response.html) as { readonly access_token?: string }
  if (token === undefined) throw new Error(`No token: ${response.html}`)
  return token
}
