import type { WebhookEvent } from "@trailbook/receiver"
import type { Database } from "better-sqlite3"

/**
 * What has been received and what of it is still to be done, in your own
 * database. An event that comes twice is kept once. Ids count up within an
 * outfitter: whoever serves several needs an inbox for each.
 */
export class Inbox {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    database.exec("create table if not exists inbox (id integer primary key, event text) strict")
  }

  /** Durable when it returns. False: this event was here before. */
  add(event: WebhookEvent): boolean {
    return this.#database.prepare("insert into inbox (id, event) values (?, ?) on conflict do nothing")
      .run(event.id, JSON.stringify(event)).changes === 1
  }

  /**
   * Handles what waits, oldest first. What `handle` writes to this database and
   * the note that the event is done are one transaction, so each event has its
   * effect once. An error leaves the event, and those after it, for the next time.
   */
  work(handle: (event: WebhookEvent) => void): void {
    const next = this.#database.prepare<[], { id: number; event: string }>(
      "select id, event from inbox where event is not null order by id limit 1"
    )
    // The id stays, to know the event again; the words about a guest do not.
    const done = this.#database.prepare<[number]>("update inbox set event = null where id = ?")
    const step = this.#database.transaction(() => {
      const row = next.get()
      if (row === undefined) return false
      handle(JSON.parse(row.event))
      done.run(row.id)
      return true
    })
    while (step.immediate()) { /* until nothing waits */ }
  }

  /** The newest event of all that came: where a replay goes on after a backup was restored. */
  last(): number {
    return this.#database.prepare<[], { id: number }>("select coalesce(max(id), 0) id from inbox").get()?.id ?? 0
  }
}
