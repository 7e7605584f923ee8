import type { WebhookEvent } from "@trailbook/receiver"
import Database from "better-sqlite3"
import { Arrivals } from "../Arrivals.ts"
import { Inbox } from "../Inbox.ts"

export const secret = "whsec_7vQ2mXb9KcR4tYw8ZpL1sNf6HdJ3aGe5UoTiVyBnMqEx"

/** Opens a board in memory, and counts its notifications. */
export const openBoard = () => {
  const database = new Database(":memory:")
  const inbox = new Inbox(database)
  const arrivals = new Arrivals(database)
  let notifications = 0
  return {
    database,
    inbox,
    arrivals,
    added: () => {
      notifications += 1
    },
    told: () => notifications
  }
}

export const booking = (name: string, changes: object = {}) => ({
  id: `booking of ${name}`,
  customer_id: name,
  starts_at: "2027-06-01T15:00:00.000Z",
  customer: { id: name, name },
  ...changes
})

/** Returns an event of any type with the data that the board reads. The compiler knows only the current event types. */
export const event = (id: number, type: string, data: unknown = {}): WebhookEvent =>
  JSON.parse(JSON.stringify({ id, type, created_at: "2027-05-01T12:00:00.000Z", data }))
