import * as Event from "../port/Event.ts"
import { SessionView } from "./SessionView.ts"

export const sessionEvents = [
  Event.make("session.created", {
    data: SessionView,
    when: "A class session is scheduled. A weekly series emits one event per session."
  }),
  Event.make("session.updated", {
    data: SessionView,
    when: "A session's capacity, start, or notes change."
  }),
  Event.make("session.cancelled", {
    data: SessionView,
    when: "A session is canceled. One `booking.cancelled` follows for each of its bookings."
  })
] as const
