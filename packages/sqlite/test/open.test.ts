import { assert, it } from "@effect/vitest"
import { OrgStore } from "@trailbook/core/org"
import { Database } from "@trailbook/sql/Database"
import * as Migrate from "@trailbook/sql/schema/migrate"
import { layer, layerConfig, migrate, pendingMigrations } from "@trailbook/sqlite"
import { migrations } from "@trailbook/sqlite/migrations"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { chmodSync, chownSync, existsSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { createOutfit, org } from "./sample.ts"
import { stepsOfNewSchema } from "./steps.ts"
import { temporaryFile } from "./temporaryFile.ts"

const latest = Migrate.getLatestVersion(migrations)

const pragma = (name: string) =>
  Effect.flatMap(
    Database,
    ({ query, transaction }) =>
      Effect.map(transaction(query<Record<string, unknown>>(`pragma ${name}`)), ([row]) => Object.values(row ?? {})[0])
  )

const settings = Effect.all({
  journal_mode: pragma("journal_mode"),
  synchronous: pragma("synchronous"),
  foreign_keys: pragma("foreign_keys"),
  busy_timeout: pragma("busy_timeout"),
  secure_delete: pragma("secure_delete")
})

it.scoped("a reopened file gets the same safety settings as a new one", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const inForce = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 5000, secure_delete: 1 }
    for (const _ of ["new", "again"]) {
      assert.deepStrictEqual(yield* Effect.provide(settings, layer({ filename })), inForce)
    }
  }))

it.scoped("a connection keeps its busy timeout after an erasure", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const erased = Effect.zipRight(Effect.flatMap(Database, ({ erase }) => erase("select 1")), settings)
    assert.propertyVal(yield* Effect.provide(erased, layer({ filename })), "busy_timeout", 5000)
  }))

it.scoped("closing a database removes its write-ahead log but keeps the data", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const { orgId } = yield* Effect.provide(createOutfit, layer({ filename }))
    assert.isFalse(existsSync(`${filename}-wal`))
    const stored = yield* Effect.provide(Effect.flatMap(OrgStore, ({ find }) => find(orgId)), layer({ filename }))
    assert.propertyVal(stored, "_tag", "Some")
  }))

it.scoped("layerConfig reads the file name from the configuration", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const { orgId } = yield* Effect.provide(createOutfit, layer({ filename }))
    const layerFrom = (settings: ReadonlyArray<readonly [string, string]>) =>
      layerConfig({ filename: Config.string("BOOKINGS") }).pipe(
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(settings))))
      )
    const find = Effect.flatMap(OrgStore, ({ find }) => find(orgId))
    assert.propertyVal(yield* Effect.provide(find, layerFrom([["BOOKINGS", filename]])), "_tag", "Some")
    assert.propertyVal(yield* Effect.flip(Effect.provide(find, layerFrom([]))), "_op", "MissingData")
  }))

it.scoped("opening a database creates the missing folders of its path", () =>
  Effect.gen(function*() {
    const filename = join(dirname(yield* temporaryFile), "var", "lib", "trailbook.db")
    yield* Effect.provide(Effect.flatMap(OrgStore, ({ put }) => put(org())), layer({ filename }))
    assert.isAbove(statSync(filename).size, 0)
  }))

it.scoped("migrate applies each step once, and returns the names of the applied steps", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    assert.deepStrictEqual(yield* migrate({ filename }), stepsOfNewSchema)
    assert.deepStrictEqual(yield* migrate({ filename }), [])
  }))

it.scoped("migrate refuses a file from a later version, and states why", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const later = Effect.flatMap(Database, ({ execute }) =>
      execute("insert into migrations (number, name) values (1000, 'later')"))
    yield* Effect.provide(later, layer({ filename }))
    assert.match(
      (yield* Effect.flip(migrate({ filename }))).message,
      /a newer version.* migrated it to schema version 1000, but this version/
    )
  }))

/** Applies one more migration, as a later version would. */
const migrateLater = (filename: string, statement: string, oldestServer?: number) => {
  const step = { name: "later", statements: [statement], ...(oldestServer === undefined ? {} : { oldestServer }) }
  const later = Migrate.migrate({ ...migrations, steps: [...migrations.steps, step] })
  return Effect.provide(later, layer({ filename }))
}

it.scoped("a file opens after a later migration that permits this version", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    const { orgId } = yield* Effect.provide(createOutfit, layer({ filename }))
    yield* migrateLater(filename, "alter table orgs add column color text not null default 'red'", latest)
    for (const _ of ["start", "restart"]) {
      const putAndFind = Effect.flatMap(OrgStore, ({ find, put }) => Effect.zipRight(put(org()), find(orgId)))
      assert.propertyVal(yield* Effect.provide(putAndFind, layer({ filename })), "_tag", "Some")
    }
    assert.deepStrictEqual(yield* migrate({ filename }), [])
    assert.deepStrictEqual((yield* pendingMigrations({ filename })).names, [])
  }))

it.scoped("a file is refused if its last migration permits only later versions", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* migrateLater(filename, "alter table orgs drop column brief_hour")
    assert.match(
      (yield* Effect.flip(Effect.provide(settings, layer({ filename })))).message,
      new RegExp(`a newer version.* migrated it to schema version ${latest + 1}, but this version`)
    )
  }))

it.scoped("migrate names a file that it cannot open, and states why", () =>
  Effect.gen(function*() {
    const folder = dirname(yield* temporaryFile)
    const text = join(folder, "notes.txt")
    writeFileSync(text, "This is no database. ".repeat(100))
    const reason = (filename: string) => Effect.map(Effect.flip(migrate({ filename })), ({ message }) => message)
    assert.strictEqual(yield* reason(text), `Cannot open the database "${text}": file is not a database`)
    assert.include(yield* reason(folder), `"${folder}": unable to open database file`)
    assert.include(yield* reason(join(text, "trailbook.db")), "notes.txt")
  }))

it.scoped("opening an unwritable database fails with an error that states why", () =>
  Effect.gen(function*() {
    const filename = yield* temporaryFile
    yield* Effect.provide(createOutfit, layer({ filename }))
    const refusal = (filename: string) =>
      Effect.map(Effect.flip(Effect.provide(settings, layer({ filename }))), messageOf)
    assert.match(yield* refusal(join(filename, "trailbook.db")), /EEXIST|ENOTDIR/)
    chmodSync(filename, 0o444)
    yield* asSomebody([dirname(filename), filename])
    assert.include(yield* refusal(filename), "attempt to write a readonly database")
    // The log files were created with the database file's permissions.
    for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) chmodSync(file, 0o644)
    yield* Effect.provide(settings, layer({ filename }))
  }))

const messageOf = ({ message }: Error) => message

/**
 * Changes the files' owner and the process's user until the scope closes, because a superuser can write to read-only
 * files.
 */
const asSomebody = (files: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const superuser = process.geteuid?.() === 0
      if (!superuser) return
      for (const file of files) chownSync(file, somebody, somebody)
      process.seteuid?.(somebody)
    }),
    () =>
      Effect.sync(() => {
        if (process.getuid?.() === 0) process.seteuid?.(0)
      })
  )

const somebody = 65_534
