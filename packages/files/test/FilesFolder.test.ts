import { it } from "@effect/vitest"
import { Files } from "@trailbook/core/file"
import * as FilesFolder from "@trailbook/files/FilesFolder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "vitest"
import { temporaryFolder } from "./temporaryFolder.ts"

const over = (directory: string) => Effect.provide(Files, FilesFolder.layer({ directory }))

const key = "0197c0de-0000-7000-8000-000000000001/0197c0de-0000-7000-8000-000000000002"

it.scoped("names files after their keys, and makes them readable only by the owner", () =>
  Effect.gen(function*() {
    const root = join(yield* temporaryFolder, "files")
    const { put } = yield* over(root)
    yield* put(key, Buffer.from("photo"))
    assert.strictEqual(readFileSync(join(root, key), "utf8"), "photo")
    assert.strictEqual(statSync(join(root, key)).mode & 0o777, 0o600)
    assert.strictEqual(statSync(root).mode & 0o777, 0o700)
    assert.strictEqual(statSync(join(root, key, "..")).mode & 0o777, 0o700)
    // The write must leave no temporary file.
    assert.lengthOf(readdirSync(join(root, key, "..")), 1)
  }))

it.scoped("leaves no partial file after a failed write, and reports no personal data", () =>
  Effect.gen(function*() {
    const root = yield* temporaryFolder
    const { get, put } = yield* over(root)
    mkdirSync(join(root, key), { recursive: true })
    const { message } = yield* Effect.flip(put(key, Buffer.from("photo")))
    assert.match(message, /^Could not write to the file folder \([A-Z]+\)\.$/)
    assert.lengthOf(readdirSync(join(root, key, "..")), 1)
    writeFileSync(join(root, "org"), "a file in the place of a folder")
    assert.isTrue(Option.isNone(yield* get("org/file")))
    assert.match((yield* Effect.flip(put("org/file", Buffer.from("photo")))).message, /^Could not write/)
  }))

it.scoped("refuses a file that would leave too little free space", () =>
  Effect.gen(function*() {
    const root = join(yield* temporaryFolder, "files")
    const free = yield* Effect.provide(Files, FilesFolder.layer({ directory: root, minFreeBytes: 1 }))
    const low = yield* Effect.provide(Files, FilesFolder.layer({ directory: root, minFreeBytes: 2 ** 60 }))
    assert.match((yield* Effect.flip(low.put(key, Buffer.from("photo")))).message, /\(disk is low\)/)
    assert.isFalse(existsSync(root))
    yield* free.put(key, Buffer.from("photo"))
    // Stored files can still be read and removed.
    assert.isTrue(Option.isSome(yield* low.get(key)))
    yield* low.remove(key)
    assert.isTrue(Option.isNone(yield* low.get(key)))
  }))

it.scoped("rejects a key that leads outside the folder", () =>
  Effect.gen(function*() {
    const root = yield* temporaryFolder
    const { get, put, remove } = yield* over(join(root, "files"))
    for (const wrong of ["../out", "/etc/passwd", "a//b", "a/../b", ".hidden", "A", "a\0b", "", "a\\b", "a/"]) {
      for (const work of [put(wrong, Buffer.from("x")), get(wrong), remove(wrong)]) {
        assert.strictEqual((yield* Effect.exit(work))._tag, "Failure", wrong)
      }
    }
    assert.deepEqual(readdirSync(root), [])
  }))

it.scoped("closes the file if reading ends early or never starts", () =>
  Effect.gen(function*() {
    const { get, put } = yield* over(yield* temporaryFolder)
    yield* put(key, Buffer.alloc(200_000))
    const open = () => readdirSync("/proc/self/fd").length
    const before = open()
    for (let n = 0; n < 20; n++) {
      const stream = Option.getOrThrow(yield* get(key))
      yield* Effect.promise(async () => {
        const reader = stream.getReader()
        for (let pieces = 0; pieces < n % 6; pieces++) await reader.read()
        await reader.cancel()
      })
    }
    assert.isAtMost(open(), before)
  }))
