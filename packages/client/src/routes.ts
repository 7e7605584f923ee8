/**
 * The way to every operation. Written by `npm run generate` in this package; a test holds it to the declarations that
 * the server answers by.
 */
import type { Routes } from "./Route.ts"

export const routes = {
  offerings: {
    list: { method: "GET", path: "/offerings", isRepeatable: true, next: "next_cursor" },
    create: { method: "POST", path: "/offerings", isRepeatable: true, key: "idempotency_key" },
    get: { method: "GET", path: "/offerings/:id", isRepeatable: true },
    update: { method: "PATCH", path: "/offerings/:id", isRepeatable: true },
    delete: { method: "DELETE", path: "/offerings/:id", isRepeatable: false },
    get_hours: { method: "GET", path: "/offerings/:id/hours", isRepeatable: true },
    set_hours: { method: "PUT", path: "/offerings/:id/hours", isRepeatable: true }
  },
  availability: {
    get: { method: "GET", path: "/offerings/:id/availability", isRepeatable: true, next: "next_from" }
  },
  sessions: {
    list: { method: "GET", path: "/sessions", isRepeatable: true, next: "next_cursor" },
    create: { method: "POST", path: "/sessions", isRepeatable: true, key: "idempotency_key" },
    cancel: { method: "POST", path: "/sessions/:id/cancel", isRepeatable: true }
  },
  bookings: {
    list: { method: "GET", path: "/bookings", isRepeatable: true, next: "next_cursor" },
    get: { method: "GET", path: "/bookings/:id", isRepeatable: true },
    create: { method: "POST", path: "/bookings", isRepeatable: true, key: "idempotency_key" },
    cancel: { method: "POST", path: "/bookings/:id/cancel", isRepeatable: true },
    confirm: { method: "POST", path: "/bookings/:id/confirm", isRepeatable: true },
    move: { method: "POST", path: "/bookings/:id/move", isRepeatable: true },
    resend: { method: "POST", path: "/bookings/:id/resend", isRepeatable: false }
  },
  customers: {
    list: { method: "GET", path: "/customers", isRepeatable: true, next: "next_cursor" },
    upsert: { method: "POST", path: "/customers", isRepeatable: true },
    get: { method: "GET", path: "/customers/:id", isRepeatable: true },
    update: { method: "PATCH", path: "/customers/:id", isRepeatable: true },
    delete: { method: "DELETE", path: "/customers/:id", isRepeatable: true }
  },
  conversations: {
    list: { method: "GET", path: "/conversations", isRepeatable: true, next: "next_cursor" },
    get: { method: "GET", path: "/conversations/:id", isRepeatable: true },
    update: { method: "PATCH", path: "/conversations/:id", isRepeatable: true },
    delete: { method: "DELETE", path: "/conversations/:id", isRepeatable: true }
  },
  messages: {
    list: { method: "GET", path: "/messages", isRepeatable: true, next: "next_cursor" },
    send: { method: "POST", path: "/messages", isRepeatable: true, key: "idempotency_key" },
    broadcast: { method: "POST", path: "/messages/broadcast", isRepeatable: true },
    draft: { method: "POST", path: "/messages/draft", isRepeatable: false }
  },
  saved_replies: {
    list: { method: "GET", path: "/saved_replies", isRepeatable: true },
    create: { method: "POST", path: "/saved_replies", isRepeatable: false },
    update: { method: "PATCH", path: "/saved_replies/:id", isRepeatable: true },
    delete: { method: "DELETE", path: "/saved_replies/:id", isRepeatable: false }
  },
  automations: {
    list: { method: "GET", path: "/automations", isRepeatable: true },
    update: { method: "PATCH", path: "/automations/:automation", isRepeatable: true }
  },
  proposals: {
    list: { method: "GET", path: "/proposals", isRepeatable: true, next: "next_cursor" },
    approve: { method: "POST", path: "/proposals/:id/approve", isRepeatable: false },
    dismiss: { method: "POST", path: "/proposals/:id/dismiss", isRepeatable: false },
    undo: { method: "POST", path: "/proposals/:id/undo", isRepeatable: false }
  },
  org: {
    get: { method: "GET", path: "/org", isRepeatable: true },
    update: { method: "PATCH", path: "/org", isRepeatable: true },
    export: { method: "GET", path: "/org/export", isRepeatable: true }
  },
  events: {
    list: { method: "GET", path: "/events", isRepeatable: true, next: "next_after" }
  },
  billing: {
    get: { method: "GET", path: "/billing", isRepeatable: true }
  },
  webhooks: {
    list: { method: "GET", path: "/webhooks", isRepeatable: true },
    create: { method: "POST", path: "/webhooks", isRepeatable: true, key: "idempotency_key" },
    delete: { method: "DELETE", path: "/webhooks/:id", isRepeatable: false }
  }
} as const satisfies Routes
