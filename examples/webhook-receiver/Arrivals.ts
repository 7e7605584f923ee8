import type { Booking, WebhookEvent } from "@trailbook/receiver"
import type { Database } from "better-sqlite3"

/** This receiver's application: a board in the boathouse that lists expected guests. */
export class Arrivals {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.exec(
      "create table if not exists arrivals (booking_id text primary key, customer_id text, name text, starts_at text) strict"
    )
  }

  readonly handle = ({ data, type }: WebhookEvent): void => {
    switch (type) {
      case "booking.confirmed":
      case "booking.moved":
        return this.#expect(data)
      case "booking.cancelled":
        this.#database.prepare("delete from arrivals where booking_id = ?").run(data.id)
        return
      case "customer.deleted":
        // Trailbook has erased the guest, so every receiver must do the same.
        this.#database.prepare("update arrivals set name = '' where customer_id = ?").run(data.id)
        return
      default:
        // Ignore unknown and future event types.
        return
    }
  }

  #expect({ customer, customer_id, id, starts_at }: Booking): void {
    this.#database.prepare("insert or replace into arrivals values (?, ?, ?, ?)").run(
      id,
      customer_id,
      customer.name,
      starts_at
    )
  }

  list(): ReadonlyArray<{ readonly name: string; readonly starts_at: string }> {
    return this.#database.prepare<[], { name: string; starts_at: string }>(
      "select name, starts_at from arrivals order by starts_at, booking_id"
    ).all()
  }
}
