import * as Instant from "@trailbook/core/time/Instant"
import type { Delivery } from "@trailbook/core/webhook"

export const delivery = (url: string, changes: Partial<Delivery> = {}): Delivery => ({
  webhookId: "0197a1b2-0000-7000-8000-000000000001",
  url,
  secret: "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx",
  eventId: 45,
  eventType: "booking.held",
  body: `{"id":45,"type":"booking.held","created_at":"2026-11-18T10:26:40.000Z","data":{"name":"Zoë 🛶"}}`,
  at: Instant.make(1_795_000_000_999),
  ...changes
})
