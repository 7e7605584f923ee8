import { type FileType, fileTypes, type StoredFile } from "@trailbook/core/file"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import { assert } from "chai"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { moment, origin } from "../../generator/moment.ts"
import { text } from "../../generator/text.ts"
import { type Law, law, lawForAll, type LawSteps, runConcurrently, toEffect, yieldRepeatedly } from "../Law.ts"
import { assertDies, assertFinds, assertFindsNothing, sortOldestFirst } from "../rowAssertions.ts"
import { createEmptyOrg, newId } from "../seedOrg.ts"
import * as Store from "../Store.ts"

/**
 * There are only a few messages, so that several files belong to the same one. Positions within a message are distinct.
 */
const file: FastCheck.Arbitrary<Omit<StoredFile, "id" | "orgId" | "position">> = FastCheck.record({
  // A long name reveals a column that is too short.
  name: FastCheck.oneof(
    text(1000),
    FastCheck.integer({ min: 200, max: 999 }).map((length) => "x".repeat(length) + "!")
  ),
  size: FastCheck.integer({ min: 0, max: 10 * 1024 * 1024 }),
  type: FastCheck.constantFrom(...Object.keys(fileTypes) as ReadonlyArray<FileType>),
  createdAt: moment,
  messageId: FastCheck.constantFrom(null, "a", "b")
})

const files = FastCheck.array(file, { minLength: 1, maxLength: 6 })

/** Stores files for two orgs and removes them after the case, because other laws read all orgs. */
const storeFiles = (
  contents: ReadonlyArray<ReadonlyArray<Omit<StoredFile, "id" | "orgId" | "position">>>,
  work: (files: ReadonlyArray<StoredFile>) => LawSteps
) =>
  Effect.gen(function*() {
    const storedFiles = (yield* Effect.forEach(contents, (rows) =>
      Effect.map(createEmptyOrg, ({ id: orgId }) =>
        rows.map((row, position): StoredFile => ({
          ...row,
          orgId,
          id: newId(),
          position: row.messageId ? position : 0
        })))))
      .flat()
    yield* Effect.forEach(storedFiles, Store.files.add)
    const clear = Effect.forEach(new Set(storedFiles.map(({ orgId }) => orgId)), (orgId) =>
      Effect.zipRight(
        Store.files.removeOfMessages(orgId, ["a", "b", "c"]),
        Store.files.removeUnused(Instant.max, 1000)
      ))
    yield* Effect.ensuring(toEffect(work(storedFiles)), clear)
  })

const comparePositions = (a: StoredFile, b: StoredFile): number =>
  (a.messageId ?? "") < (b.messageId ?? "") ? -1 : a.messageId === b.messageId ? a.position - b.position : 1

const makeFile = (orgId: string): StoredFile => ({
  id: newId(),
  orgId,
  name: "photo.jpg",
  size: 3,
  type: "image/jpeg",
  createdAt: origin,
  messageId: null,
  position: 0
})

const twoOrgFiles = FastCheck.tuple(files, files)

/**
 * Starts all effects together in every fourth round and staggers them by 1 to 3 steps otherwise, because units of work
 * take different numbers of steps.
 */
const runTogether = <A, R>(round: number, works: ReadonlyArray<Effect.Effect<A, never, R>>) =>
  runConcurrently(works.map((work, at) => Effect.zipRight(yieldRepeatedly(at * (round % 4)), work)))

/** Creates a law about a race for an unused file. */
const fileRaceLaw = (
  key: Law["key"],
  title: string,
  check: (file: StoredFile, round: number) => LawSteps
): Law =>
  law(
    key,
    title,
    ({ runs }) =>
      Effect.forEach(Array.from({ length: Math.min(runs, 20) }, (_, round) => round), (round) =>
        Effect.gen(function*() {
          const file = makeFile((yield* createEmptyOrg).id)
          yield* Store.files.add(file)
          yield* toEffect(check(file, round))
        }), { discard: true })
  )

/** Claims an unused file, the way sending a message does. */
const claim = ({ id, orgId }: StoredFile, messageId: string): Effect.Effect<boolean, never, Storage> =>
  Store.run(Effect.gen(function*() {
    const [file] = yield* Store.files.lock(orgId, [id])
    yield* Effect.yieldNow()
    if (file?.messageId !== null) return false
    yield* Store.files.use([{ ...file, messageId }])
    return true
  }))

export const fileStoreLaws: ReadonlyArray<Law> = [
  lawForAll(
    "files/find",
    "returns a file unchanged and only to its own org, with or without a lock",
    twoOrgFiles,
    (contents) =>
      storeFiles(contents, function*(all) {
        const orgs = [...new Set(all.map(({ orgId }) => orgId))]
        const ids = all.map(({ id }) => id)
        for (const orgId of orgs) {
          const orgFiles = all.filter((file) => file.orgId === orgId)
          for (const id of [...ids, newId()]) {
            const result = Option.getOrUndefined(yield* Store.files.find({ orgId, id }))
            assert.deepStrictEqual(result, orgFiles.find((file) => file.id === id))
          }
          assert.deepStrictEqual(yield* Store.run(Store.files.lock(orgId, [...ids.toReversed(), ...ids])), orgFiles)
        }
      })
  ),

  law("files/once", "stores each file ID only once and only for an existing org", function*() {
    const { id: orgId } = yield* createEmptyOrg
    const first = makeFile(orgId)
    yield* Store.files.add(first)
    for (const invalidFile of [{ ...first, name: "another" }, makeFile(newId())]) {
      yield* assertDies(Store.files.add(invalidFile), "the invalid file was added")
    }
    yield* assertFinds(Store.files.find(first), first)
  }),

  lawForAll(
    "files/of-messages",
    "returns each message's files, sorted by message and name, and removes only those files",
    FastCheck.tuple(twoOrgFiles, text(1000)),
    ([contents, name]) =>
      storeFiles(contents, function*(all) {
        const [{ orgId } = makeFile("")] = all
        const orgFiles = all.filter((file) => file.orgId === orgId)
        const findFiles = (messages: ReadonlyArray<string>, rows = orgFiles) =>
          rows.filter(({ messageId }) => messages.includes(messageId ?? "")).toSorted(comparePositions)
        for (const messages of [["a"], ["b", "a"], ["a", "a"], ["c"], []]) {
          assert.deepStrictEqual(yield* Store.files.ofMessages(orgId, messages), findFiles(messages))
        }
        // Move all files to another message, in reverse order.
        const reversedFiles = orgFiles.map((file, at) => ({
          ...file,
          name,
          messageId: "c",
          position: orgFiles.length - at
        }))
        yield* Store.files.use(reversedFiles)
        assert.deepStrictEqual(yield* Store.files.ofMessages(orgId, ["a", "b", "c"]), findFiles(["c"], reversedFiles))
        yield* Store.files.use(orgFiles.map((file) => ({ ...file, messageId: file.messageId ?? "c" })))
        const removedFiles = yield* Store.files.removeOfMessages(orgId, ["a", "nothing"])
        assert.deepStrictEqual(removedFiles.toSorted(comparePositions), findFiles(["a"]))
        assert.deepStrictEqual(yield* Store.files.ofMessages(orgId, ["a"]), [])
        for (const file of all) {
          const isStored = Option.isSome(yield* Store.files.find(file))
          assert.strictEqual(isStored, file.orgId !== orgId || file.messageId !== "a")
        }
      })
  ),

  lawForAll(
    "files/unused",
    "removes all orgs' unused files that were created up to a given time, oldest first, up to a limit",
    FastCheck.tuple(twoOrgFiles, FastCheck.nat(11), FastCheck.integer({ min: 1, max: 8 })),
    ([contents, at, limit]) =>
      storeFiles(contents, function*(all) {
        const { createdAt: until } = all[at % all.length] ?? makeFile("")
        const oldFiles = sortOldestFirst(
          all.filter(({ createdAt, messageId }) => messageId === null && createdAt <= until)
        )
        const removedFiles = yield* Store.files.removeUnused(until, limit)
        // Files of the same age can be removed in any order.
        assert.deepStrictEqual(
          removedFiles.map(({ createdAt }) => createdAt),
          oldFiles.slice(0, limit).map(({ createdAt }) => createdAt)
        )
        for (const file of all) {
          const match = removedFiles.find(({ id }) => id === file.id)
          if (match !== undefined) assert.deepStrictEqual(oldFiles.find(({ id }) => id === match.id), match)
          assert.strictEqual(Option.isNone(yield* Store.files.find(file)), match !== undefined)
        }
      })
  ),

  law("files/discard", "lets an org discard only its own unused files", function*() {
    const { id: orgId } = yield* createEmptyOrg
    const { id: other } = yield* createEmptyOrg
    const [unusedFile, usedFile] = [makeFile(orgId), { ...makeFile(orgId), messageId: "a" }]
    yield* Effect.forEach([unusedFile, usedFile], Store.files.add)
    yield* Store.files.discard({ ...unusedFile, orgId: other })
    assert.isTrue(Option.isSome(yield* Store.files.find(unusedFile)))
    yield* Effect.forEach([unusedFile, usedFile, unusedFile], Store.files.discard)
    yield* assertFindsNothing(Store.files.find(unusedFile))
    yield* assertFinds(Store.files.find(usedFile), usedFile)
  }),

  fileRaceLaw(
    "races/one-message",
    "attaches a file to only one of several concurrent messages",
    function*(file, round) {
      const messages = ["a", "b", "c", "d"]
      const results = yield* runTogether(round, messages.map((message) => claim(file, message)))
      assert.lengthOf(results.filter(Boolean), 1)
      assert.strictEqual(Option.getOrThrow(yield* Store.files.find(file)).messageId, messages[results.indexOf(true)])
    }
  ),

  fileRaceLaw(
    "races/used-or-gone",
    "either attaches or deletes a file, never both, if both are attempted concurrently",
    function*(file, round) {
      const removeFile = Effect.map(
        Store.run(Store.files.removeUnused(origin, 1000)),
        (removedFiles) => removedFiles.some(({ id }) => id === file.id)
      )
      const attempts = [claim(file, "a"), removeFile]
      const [first, other] = yield* runTogether(round, round % 8 < 4 ? attempts : attempts.toReversed())
      assert.notStrictEqual(first, other)
      const isUsed = round % 8 < 4 ? first : other
      assert.strictEqual(Option.getOrUndefined(yield* Store.files.find(file))?.messageId, isUsed ? "a" : undefined)
    }
  )
]
