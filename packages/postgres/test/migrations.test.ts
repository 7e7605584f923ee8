/** A schema that an earlier version made holds what it held. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@trailbook/core/port/EventLog"
import { WebhookStore } from "@trailbook/core/webhook/WebhookStore"
import { layer, migrate } from "@trailbook/postgres"
import { migrations } from "@trailbook/postgres/migrations"
import { newEvent } from "@trailbook/testkit/law/endpoints"
import { newWebhook } from "@trailbook/testkit/law/traces"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { database } from "./schema.ts"

/** The schema as the first so many migrations leave it, with an org that has two events and one that has none. */
const madeBy = (count: number, url: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("create schema trailbook")
    await client.query("create table trailbook.migrations (number integer primary key, name text not null)")
    for (const [at, { name, statements }] of migrations("trailbook").slice(0, count).entries()) {
      for (const text of statements) await client.query(text)
      await client.query("insert into trailbook.migrations values ($1, $2)", [at + 1, name])
    }
    await client.query("set trailbook.orgs = '*'")
    await client.query(`insert into trailbook.orgs
      select id, 'River', id, 'America/Denver', 'usd', 'free', null, false, null, null, 6, 20, null, null, null, 0
      from unnest(array ['a', 'b']) id`)
    await client.query("insert into trailbook.event_counters values ('a', 2)")
    await client.query(
      "insert into trailbook.events select 'a', id, 'org.updated', '{}', null, 0 from generate_series(1, 2) id"
    )
    await client.end()
  })

it.scopedLive("counters of events are kept when webhooks are added", () =>
  Effect.gen(function*() {
    const { url } = yield* database("empty")
    yield* madeBy(1, url)
    assert.deepStrictEqual(yield* migrate({ url }), ["webhooks", "subscriptions", "hosted", "judged"])
    yield* Effect.gen(function*() {
      const log = yield* EventLog
      const { add, list } = yield* WebhookStore
      yield* add(newWebhook("a"))
      yield* add(newWebhook("b"))
      assert.lengthOf(yield* list("b"), 1)
      yield* log.append([newEvent("a"), newEvent("b")])
      assert.deepStrictEqual((yield* log.latest("a", 10)).map(({ id }) => id), [1, 2, 3])
      assert.deepStrictEqual((yield* log.latest("b", 10)).map(({ id }) => id), [1])
    }).pipe(Effect.provide(layer({ url })))
  }), 60_000)
