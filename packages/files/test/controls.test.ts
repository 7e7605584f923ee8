/** Negative controls: each broken storage adapter violates one file law. */
import { Files } from "@trailbook/core/file"
import { FakeFiles } from "@trailbook/testkit/fakes"
import { filesLaws } from "@trailbook/testkit/filesSuite"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect, it } from "vitest"

type Port = Files["Type"]

const controls: ReadonlyArray<readonly [broken: string, law: string, change: (files: Port) => Partial<Port>]> = [
  ["storage that loses the last byte", "files/whole", ({ put }) => ({
    put: (key, bytes) => put(key, bytes.subarray(0, -1))
  })],
  ["storage that uses only the first characters of a key", "files/replace", ({ get, put }) => ({
    put: (key, bytes) => put(key.slice(0, 72), bytes),
    get: (key) => get(key.slice(0, 72))
  })],
  ["storage that keeps the first version", "files/replace", ({ get, put }) => ({
    put: (key, bytes) => Effect.flatMap(get(key), (existing) => Option.isSome(existing) ? Effect.void : put(key, bytes))
  })],
  ["storage that removes nothing", "files/remove", () => ({ remove: () => Effect.void })],
  ["storage that overwrites a file in place", "files/never-half", ({ put }) => ({
    put: (key, bytes) =>
      put(key, bytes.subarray(0, 10)).pipe(Effect.zipRight(Effect.sleep(1)), Effect.zipRight(put(key, bytes)))
  })],
  ["storage that keeps a partial write", "files/interrupted", ({ put }) => ({
    put: (key, bytes) =>
      put(key, bytes.subarray(0, 10)).pipe(Effect.zipRight(Effect.sleep(5)), Effect.zipRight(put(key, bytes)))
  })]
]

const brokenBy = (change: (files: Port) => Partial<Port>): Layer.Layer<Files> =>
  Layer.effect(Files, Effect.map(Files, (files) => Files.of({ ...files, ...change(files) }))).pipe(
    Layer.provide(FakeFiles.layer)
  )

it.each(controls)("%s breaks the law %s", async (_, law, change) => {
  const { check } = filesLaws.find(({ key }) => key === law) ?? expect.fail(`The law ${law} does not exist.`)
  const exit = await Effect.runPromiseExit(Effect.provide(check(20), brokenBy(change)))
  expect(Exit.isFailure(exit)).toBe(true)
})
