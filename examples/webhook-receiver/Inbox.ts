import type { WebhookEvent } from "@trailbook/receiver"
import type { Database } from "better-sqlite3"

/**
 * Stores received events and their processing state in your own database. A duplicate event is stored only once. IDs
 * increase per outfitter, so a receiver for several outfitters needs a separate inbox for each.
 */
export class Inbox {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.exec("create table if not exists inbox (id integer primary key, event text) strict")
  }

  /** The event is durable once this returns. Returns false for a duplicate. */
  add(event: WebhookEvent): boolean {
    return this.#database.prepare("insert into inbox (id, event) values (?, ?) on conflict do nothing")
      .run(event.id, JSON.stringify(event)).changes === 1
  }

  /**
   * Handles pending events, oldest first. The writes that `handle` makes to this database are committed together with
   * the event's completion, so each event takes effect once. After an error, the failed event and all later ones remain
   * pending.
   */
  work(handle: (event: WebhookEvent) => void): void {
    const next = this.#database.prepare<[], { id: number; event: string }>(
      "select id, event from inbox where event is not null order by id limit 1"
    )
    // Keeps the ID to detect duplicates, but not the guest's data.
    const clearEvent = this.#database.prepare<[number]>("update inbox set event = null where id = ?")
    const step = this.#database.transaction(() => {
      const row = next.get()
      if (row === undefined) return false
      handle(JSON.parse(row.event))
      clearEvent.run(row.id)
      return true
    })
    while (step.immediate()) { /* until no event is pending */ }
  }

  /** Returns the newest received event, from which a replay continues after a restore. */
  last(): number {
    return this.#database.prepare<[], { id: number }>("select coalesce(max(id), 0) id from inbox").get()?.id ?? 0
  }
}
