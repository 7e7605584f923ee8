/** The most expensive request that one key can send to each operation. */
import type { operations } from "@trailbook/core/layer"
import { type Facts, metadata } from "./Season.ts"

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Builds a request from the call's number and the number of this operation's round. */
export type Worst = (facts: Facts, call: number, round: number) => Call

const formatDate = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Returns a different start time within the coming year for each call. */
const start = (call: number): string =>
  new Date((Math.floor(Date.now() / 300_000) + 600 + (call * 13) % 100_000) * 300_000).toISOString()

const pickId = (ids: ReadonlyArray<string>, call: number): string => ids[call % ids.length] ?? ""

const get = (path: string): Call => ({ method: "GET", path: `/v1${path}` })
const post = (path: string, body?: unknown): Call => ({
  method: "POST",
  path: `/v1${path}`,
  ...(body === undefined ? {} : { body })
})

const hours = Array.from({ length: 49 }, (_, at) => ({
  weekday: at % 7,
  start_time: `${String(3 * Math.floor(at / 7)).padStart(2, "0")}:00`,
  end_time: `${String(3 * Math.floor(at / 7) + 2).padStart(2, "0")}:55`
}))

/** One entry per operation. The type requires an entry for each new operation. */
const worst: { readonly [Name in (typeof operations)[number]["name"]]: Worst } = {
  "offerings.list": () => get("/offerings?limit=500"),
  "offerings.create": (_, call) =>
    post("/offerings", { name: `New ${call}`, kind: "rental", metadata, description: "d".repeat(2000) }),
  "offerings.get": ({ offerings }, call) => get(`/offerings/${pickId(offerings, call)}`),
  "offerings.update": ({ offering }, call) => ({
    method: "PATCH",
    path: `/v1/offerings/${offering}`,
    body: { description: `${call} ${"d".repeat(1900)}`, metadata }
  }),
  "offerings.delete": ({ offerings }, call) => ({
    method: "DELETE",
    path: `/v1/offerings/${pickId(offerings, call)}?cancel_bookings=true`
  }),
  "offerings.get_hours": ({ offering }) => get(`/offerings/${offering}/hours`),
  "offerings.set_hours": ({ offerings }, call) => ({
    method: "PUT",
    path: `/v1/offerings/${pickId(offerings, call)}/hours`,
    body: {
      hours: hours.map((entry) => ({ ...entry, end_time: `${entry.end_time.slice(0, 3)}${call % 50 + 10 - call % 5}` }))
    }
  }),
  "offerings.set_photos": ({ offerings }, call) => ({
    method: "PUT",
    path: `/v1/offerings/${pickId(offerings, call)}/photos`,
    body: { photos: [] }
  }),
  "availability.get": ({ offering }) =>
    get(`/offerings/${offering}/availability?from=${formatDate(0)}&to=${formatDate(365)}`),
  "sessions.list": () => get("/sessions?limit=500"),
  "sessions.create": ({ class: offering_id }, call) =>
    post("/sessions", { offering_id, starts_at: start(call), repeat_weeks: 52 }),
  "sessions.cancel": ({ sessions }, call) => post(`/sessions/${pickId(sessions, call)}/cancel`),
  "bookings.list": () => get("/bookings?limit=500"),
  "bookings.get": ({ bookings }, call) => get(`/bookings/${pickId(bookings, call)}`),
  "bookings.quote": ({ offering }) => post("/quotes", { offering_id: offering }),
  "bookings.create": ({ offering }, call) =>
    post("/bookings", {
      offering_id: offering,
      starts_at: start(call),
      customer: { email: `new${call}@example.com`, name: "n".repeat(120) },
      notes: "n".repeat(2000)
    }),
  "bookings.cancel": ({ bookings }, call) => post(`/bookings/${pickId(bookings, call)}/cancel`),
  "bookings.restore": ({ bookings }, call) => post(`/bookings/${pickId(bookings, call)}/restore`),
  "bookings.confirm": ({ holds }, call) => post(`/bookings/${pickId(holds, call)}/confirm`),
  "bookings.move": ({ bookings }, call) => post(`/bookings/${pickId(bookings, call)}/move`, { starts_at: start(call) }),
  "bookings.update": ({ bookings }, call) => ({
    method: "PATCH",
    path: `/v1/bookings/${pickId(bookings, call)}`,
    body: { quantity: 1, notes: "n".repeat(2000), adjustments: [{ name: "n".repeat(80), cents: call }] }
  }),
  "payments.list": () => get("/payments?limit=500"),
  "payments.record": ({ bookings }, call) =>
    post(`/bookings/${pickId(bookings, call)}/payments`, {
      method: "cash",
      amount_cents: 1,
      note: "n".repeat(500),
      allow_overpayment: true
    }),
  "payments.refund": ({ started }, call) =>
    post(`/bookings/${pickId(started, call)}/refunds`, { method: "cash", amount_cents: 1 }),
  "payments.request": ({ bookings }, call) => post(`/bookings/${pickId(bookings, call)}/payment-requests`),
  "payments.void": ({ cashPayments }, call) => post(`/payments/${pickId(cashPayments, call)}/void`),
  "forecast.get": () => get("/forecast?days=14&limit=500"),
  "reports.sales": () => get(`/reports/sales?from=${formatDate(0)}&to=${formatDate(365)}`),
  "reports.payments": () => get(`/reports/payments?from=${formatDate(0)}&to=${formatDate(365)}`),
  "reports.occupancy": () => get(`/reports/occupancy?from=${formatDate(0)}&to=${formatDate(365)}`),
  "reports.guests": () => get(`/reports/guests?from=${formatDate(0)}&to=${formatDate(365)}`),
  "bookings.resend": ({ bookings }, call) => post(`/bookings/${pickId(bookings, call)}/resend`),
  "bookings.check_in": ({ started }, call) => post(`/bookings/${pickId(started, call)}/check-in`),
  "bookings.mark_no_show": ({ started }, call) => post(`/bookings/${pickId(started, call)}/no-show`),
  "bookings.clear_attendance": ({ started }, call) => ({
    method: "DELETE",
    path: `/v1/bookings/${pickId(started, call)}/attendance`
  }),
  "customers.list": (_, call) => get(`/customers?limit=500${call % 2 === 0 ? "" : "&q=nobody+is+called+so"}`),
  "customers.upsert": (_, call) =>
    post("/customers", { email: `guest${call}@example.com`, notes: `${call} ${"n".repeat(4900)}`, metadata }),
  "customers.get": ({ regular }) => get(`/customers/${regular}`),
  "customers.update": ({ guests }, call) => ({
    method: "PATCH",
    path: `/v1/customers/${pickId(guests, call)}`,
    body: { notes: `${call} ${"n".repeat(4900)}`, metadata }
  }),
  "customers.delete": ({ guests }, call) => ({ method: "DELETE", path: `/v1/customers/${pickId(guests, call)}` }),
  "conversations.list": (_, call) => get(`/conversations?limit=500${call % 2 === 0 ? "" : "&q=nobody+has+written+so"}`),
  "conversations.get": ({ conversation }) => get(`/conversations/${conversation}`),
  "conversations.update": ({ conversation }) => ({
    method: "PATCH",
    path: `/v1/conversations/${conversation}`,
    body: { read: true }
  }),
  "conversations.delete": ({ questions }, call) => ({
    method: "DELETE",
    path: `/v1/conversations/${pickId(questions, call)}`
  }),
  "messages.list": () => get("/messages?limit=500"),
  "messages.send": ({ guests }, call) =>
    post("/messages", { customer_id: pickId(guests, call), body: `${call} ${"m".repeat(4900)}` }),
  "assistants.activity": () => get("/assistants/activity?limit=500"),
  "automations.list": () => get("/automations"),
  "automations.update": (_, call) => ({
    method: "PATCH",
    path: "/v1/automations/fill",
    body: { dial: "ask", settings: { full_pct: 50 + call % 50 } }
  }),
  "proposals.list": () => get("/proposals?limit=500"),
  "proposals.approve": ({ proposals }, call) => post(`/proposals/${pickId(proposals.waiting, 2 * call)}/approve`),
  "proposals.dismiss": ({ proposals }, call) => post(`/proposals/${pickId(proposals.waiting, 2 * call + 1)}/dismiss`),
  "proposals.undo": ({ proposals }, call) => post(`/proposals/${pickId(proposals.done, call)}/undo`),
  "messages.broadcast": ({ offering }, call) =>
    post("/messages/broadcast", { target: { offering_id: offering }, body: `${call} ${"m".repeat(4900)}` }),
  "messages.draft": ({ conversation }) => post("/messages/draft", { conversation_id: conversation }),
  "sessions.update": ({ sessions }, call) => ({
    method: "PATCH",
    path: `/v1/sessions/${pickId(sessions, call)}`,
    body: { notes: `${call}` }
  }),
  "sessions.plan": ({ class: id }) =>
    post(`/offerings/${id}/session-plans`, {
      weekdays: [0],
      times: ["09:00"],
      from_date: "2099-01-01",
      to_date: "2099-12-31",
      dry_run: true
    }),
  "closures.list": () => get("/closures"),
  "closures.create": (_, call) =>
    post("/closures", { from_date: "2099-01-01", to_date: "2099-12-31", reason: `${call}` }),
  "closures.delete": ({ closures }, call) => ({ method: "DELETE", path: `/v1/closures/${pickId(closures, call)}` }),
  "discounts.list": () => get("/discounts"),
  "discounts.create": (_, call) => post("/discounts", { code: `C${call}`, percent_bps: 1000 }),
  "discounts.update": ({ discounts }, call) => ({
    method: "PATCH",
    path: `/v1/discounts/${pickId(discounts, call)}`,
    body: { active: true }
  }),
  "discounts.delete": ({ discounts }, call) => ({
    method: "DELETE",
    path: `/v1/discounts/${pickId(discounts, call)}`
  }),
  "saved_replies.list": ({ conversation }) => get(`/saved_replies?conversation_id=${conversation}`),
  "saved_replies.create": (_, call) => post("/saved_replies", { title: `${call}`, body: "b".repeat(5000) }),
  "saved_replies.update": ({ replies }, call) => ({
    method: "PATCH",
    path: `/v1/saved_replies/${pickId(replies, call)}`,
    body: { body: `${call} ${"b".repeat(4900)}` }
  }),
  "saved_replies.delete": ({ replies }, call) => ({
    method: "DELETE",
    path: `/v1/saved_replies/${pickId(replies, call)}`
  }),
  "org.get": () => get("/org"),
  "org.update": (_, call) => ({
    method: "PATCH",
    path: "/v1/org",
    body: { away_notice: `${call} ${"a".repeat(1900)}` }
  }),
  "org.export": () => get("/org/export"),
  "events.list": () => get("/events?limit=500"),
  "billing.get": () => get("/billing"),
  "webhooks.list": () => get("/webhooks"),
  "webhooks.create": (_, call) => post("/webhooks", { url: `https://example.com/${call}` }),
  "webhooks.delete": ({ webhooks }, call) => ({ method: "DELETE", path: `/v1/webhooks/${pickId(webhooks, call)}` })
}

const makeToolCall = (name: string, input: object): Call => ({
  method: "POST",
  path: "/mcp",
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }
})

/** MCP tools, which cost more than the same operation over REST. */
const worstOfTools: Readonly<Record<string, Worst>> = {
  "availability_get": ({ offering }) =>
    makeToolCall("availability_get", { id: offering, from: formatDate(0), to: formatDate(365) }),
  "bookings_list": () => makeToolCall("bookings_list", { limit: 500 }),
  "customers_list": () => makeToolCall("customers_list", { limit: 500 }),
  "customers_get": ({ regular }) => makeToolCall("customers_get", { id: regular }),
  "org_export": () => makeToolCall("org_export", {}),
  "bookings_create": ({ offering }, call) =>
    makeToolCall("bookings_create", {
      offering_id: offering,
      starts_at: start(call),
      customer: { email: `new${call}@example.com` }
    })
}

/** Chunked work that all clients request concurrently, and request again while it is still running. */
const worstInParts: Readonly<Record<string, Worst>> = {
  "offerings.delete, large": ({ large }, _, round) => ({
    method: "DELETE",
    path: `/v1/offerings/${large[round % large.length]?.offering}?cancel_bookings=true`
  }),
  "sessions.cancel, large": ({ large }, _, round) => post(`/sessions/${large[round % large.length]?.session}/cancel`),
  "customers.delete, large": ({ large }, _, round) => ({
    method: "DELETE",
    path: `/v1/customers/${large[round % large.length]?.guest}`
  }),
  "proposals.approve, large": ({ large }, _, round) =>
    post(`/proposals/${large[round % large.length]?.proposal}/approve`)
}

/** All requests, keyed by operation or tool name. */
export const worstOf: ReadonlyMap<string, Worst> = new Map(
  Object.entries({ ...worst, ...worstOfTools, ...worstInParts })
)
