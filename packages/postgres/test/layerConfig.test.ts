import { assert, it } from "@effect/vitest"
import { layer, layerConfig } from "@trailbook/postgres"
import { Database } from "@trailbook/sql/Database"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database } from "./schema.ts"

const from = (settings: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))

const schemas = Effect.flatMap(Database, ({ query }) =>
  Effect.map(
    query<{ readonly table_schema: string }>(
      "select distinct table_schema from information_schema.tables where table_name = 'bookings' order by 1"
    ),
    (rows) => rows.map(({ table_schema }) => table_schema)
  ))

it.scopedLive("layerConfig reads the database URL, schema, and connection count", () =>
  Effect.gen(function*() {
    const { url } = yield* database()
    const storage = layerConfig({
      url: Config.redacted("DATABASE_URL"),
      schema: Config.withDefault(Config.string("SCHEMA"), "shop"),
      units: Config.integer("UNITS")
    })
    const names = yield* Effect.provide(
      schemas,
      Layer.provide(storage, from({ DATABASE_URL: url, SCHEMA: "river", UNITS: "2" }))
    )
    assert.include(names, "river")
    assert.notInclude(names, "shop")

    // A URL without a password need not be redacted. A setting can be a constant.
    const plain = layerConfig({ url: Config.string("DATABASE_URL"), schema: Config.succeed("river") })
    assert.deepStrictEqual(yield* Effect.provide(schemas, Layer.provide(plain, from({ DATABASE_URL: url }))), names)
    assert.deepStrictEqual(yield* Effect.provide(schemas, layer({ url, schema: "river" })), names)
  }))

it.effect("layerConfig rejects a missing or invalid setting without revealing the password", () =>
  Effect.gen(function*() {
    const storage = layerConfig({ url: Config.redacted("DATABASE_URL"), units: Config.integer("UNITS") })
    for (const settings of [{ UNITS: "2" }, { DATABASE_URL: "postgres://shop:hunter2@127.0.0.1/shop", UNITS: "two" }]) {
      const cause = yield* Effect.flip(
        Effect.sandbox(Effect.provide(schemas, Layer.provide(storage, from({ ...settings }))))
      )
      assert.isTrue(Cause.isFailure(cause))
      assert.notInclude(Cause.pretty(cause), "hunter2")
    }
  }))
