/** A file that an earlier version made holds what it held. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@trailbook/core/port/EventLog"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { layer, migrate } from "@trailbook/sqlite"
import { migrations } from "@trailbook/sqlite/migrations"
import { newEvent } from "@trailbook/testkit/law/endpoints"
import { newWebhook } from "@trailbook/testkit/law/traces"
import BetterSqlite3 from "better-sqlite3"
import * as Effect from "effect/Effect"
import { temporaryFile } from "./temporaryFile.ts"

/** A file as the first so many migrations leave it, with an org that has two events and one that has none. */
const madeBy = (count: number, filename: string) => {
  const file = new BetterSqlite3(filename)
  file.exec("create table migrations (number integer primary key, name text not null)")
  for (const [at, { name, statements }] of migrations.slice(0, count).entries()) {
    for (const text of statements) file.exec(text)
    file.prepare("insert into migrations values (?, ?)").run(at + 1, name)
  }
  for (const org of ["a", "b"]) {
    file.prepare(
      `insert into orgs (id, name, slug, timezone, currency, plan, auto_ack, brief_hour, ops_daily_cap, created_at)
      values (?, 'River', ?, 'America/Denver', 'usd', 'free', 0, 6, 20, 0)`
    ).run(org, org)
  }
  file.exec(`insert into event_counters values ('a', 2);
    insert into events values ('a', 1, 'org.updated', '{}', null, 0), ('a', 2, 'org.updated', '{}', null, 0)`)
  file.close()
}

it.scoped("counters of events are kept when webhooks are added, and the log still refers to them", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    madeBy(2, filename)
    assert.deepStrictEqual(yield* migrate({ filename }), ["webhooks", "subscriptions", "judged"])
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { add, list } = yield* WebhookStore
      yield* add(newWebhook("a"))
      yield* add(newWebhook("b"))
      assert.lengthOf(yield* list("b"), 1)
      yield* log.append([newEvent("a"), newEvent("b")])
      assert.deepStrictEqual((yield* log.latest("a", 10)).map(({ id }) => id), [1, 2, 3])
      assert.deepStrictEqual((yield* log.latest("b", 10)).map(({ id }) => id), [1])
    }).pipe(Effect.provide(layer({ filename })))

    const file = new BetterSqlite3(filename)
    assert.deepStrictEqual(file.pragma("foreign_key_check"), [])
    assert.throws(() => file.exec("insert into events values ('c', 1, 'org.updated', '{}', null, 0)"), /FOREIGN KEY/)
    const known = file.prepare("select idx from sqlite_stat1").pluck().all()
    const indexes = file.prepare("select name from sqlite_schema where type = 'index' and tbl_name <> 'migrations'")
    for (const index of indexes.pluck().all()) assert.include(known, index)
    file.close()
  }))
