/**
 * Tests that after any sequence of uploads, changes, and failures, the storage contains exactly the photos that
 * offerings list, plus the org's logo and cover.
 */
import { assert, it } from "@effect/vitest"
import { Cancellations } from "@trailbook/core/booking/cancellation/Cancellations"
import { makeRemovePhoto, PhotoResizer, Photos } from "@trailbook/core/file"
import { coreLayer } from "@trailbook/core/layer"
import { Offerings } from "@trailbook/core/offering/Offerings"
import { Orgs } from "@trailbook/core/org"
import { Payments } from "@trailbook/core/payment"
import { TaskStore } from "@trailbook/core/task"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import { layerNone } from "@trailbook/core/webhook"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import { FakeFiles } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])

const resizer = Layer.succeed(
  PhotoResizer,
  PhotoResizer.of({
    resize: (bytes) => Effect.succeed({ width: 1600, height: 900, files: { 800: bytes, 1600: bytes } })
  })
)

const world = coreLayer({ batches: "none" }).pipe(
  Layer.provideMerge(Layer.mergeAll(Memory.layer, Payments.layerNone, layerNone, FakeFiles.layer, TestIds.layer(1))),
  Layer.provide(resizer)
)

type Step = "add" | "addWithoutStorage" | "set" | "delete" | "removeBytes" | ImageStep

type ImageStep = "addLogo" | "addCover" | "addLogoWithoutStorage" | "linkLogo" | "clearCover"

const imageSteps: ReadonlyArray<ImageStep> = ["addLogo", "addCover", "addLogoWithoutStorage", "linkLogo", "clearCover"]

const isImageStep = (step: Step): step is ImageStep => imageSteps.some((one) => one === step)

const steps = FastCheck.array(
  FastCheck.record({
    step: FastCheck.constantFrom<Step>(
      ...["add", "add", "add", "addWithoutStorage", "set", "set", "delete", "removeBytes"] as const,
      ...imageSteps
    ),
    offering: FastCheck.nat(1),
    keep: FastCheck.array(FastCheck.nat(8), { maxLength: 6 })
  }),
  { maxLength: 40 }
)

const runTasks = Effect.gen(function*() {
  const tasks = yield* TaskStore
  const remove = yield* makeRemovePhoto
  const now = Instant.addMinutes(yield* currentTime, 24 * 60)
  const due = yield* tasks.claim({ queue: "own", exceptOrgs: [], now, limit: 1000, leaseMs: 1000 })
  for (const task of due) {
    assert.strictEqual(task.kind, "photo.remove")
    yield* remove(task)
  }
  yield* tasks.done(due)
})

/** Uploads, links, or removes the logo or the cover. */
const changeImage = (orgId: string, step: ImageStep) =>
  Effect.gen(function*() {
    const files = yield* FakeFiles
    const orgs = yield* Orgs
    const { addImage } = yield* Photos
    const add = (kind: "logo" | "cover") => Effect.either(addImage(orgId, { kind, bytes: jpeg, by: { _tag: "Host" } }))
    if (step === "addLogoWithoutStorage") {
      yield* files.refuse(true)
      assert.strictEqual((yield* add("logo"))._tag, "Left")
      yield* files.refuse(false)
    } else if (step === "linkLogo") yield* orgs.update(orgId, { logoUrl: "https://example.com/logo.png" })
    else if (step === "clearCover") yield* orgs.update(orgId, { coverUrl: null })
    else assert.strictEqual((yield* add(step === "addLogo" ? "logo" : "cover"))._tag, "Right")
  })

it.effect("tasks delete the stored bytes of all unused photos", () =>
  Effect.promise(() =>
    FastCheck.assert(
      FastCheck.asyncProperty(steps, (actions) =>
        Effect.runPromise(
          Effect.gen(function*() {
            const { id: orgId } = yield* (yield* Orgs).create({ name: "Pine", timezone: "UTC" })
            const { create } = yield* Offerings
            const offerings = yield* Effect.forEach([0, 1], () => create({ orgId, kind: "class", name: "Raft" }))
            const photos = yield* Photos
            const files = yield* FakeFiles
            const photoIds = new Map(offerings.map(({ id }): [string, ReadonlyArray<string>] => [id, []]))
            for (const { keep, offering: at, step } of actions) {
              const key = { orgId, id: offerings[at]?.id ?? "" }
              const before = photoIds.get(key.id)
              const add = Effect.either(photos.add(key, { alt: "A raft", bytes: jpeg }))
              if (isImageStep(step)) yield* changeImage(orgId, step)
              else if (step === "removeBytes") yield* runTasks
              else if (step === "delete") {
                yield* Effect.either((yield* Cancellations).deleteOffering(key, true))
                photoIds.delete(key.id)
              } else if (step === "set") {
                const keptIds = [...new Set(keep)].flatMap((nth) => before?.[nth] ?? [])
                const update = yield* Effect.either(photos.set(key, keptIds.map((id) => ({ id, alt: "Two rafts" }))))
                assert.strictEqual(update._tag, before === undefined ? "Left" : "Right")
                if (before !== undefined) photoIds.set(key.id, keptIds)
              } else if (step === "addWithoutStorage") {
                yield* files.refuse(true)
                assert.strictEqual((yield* add)._tag, "Left")
                yield* files.refuse(false)
              } else {
                const addition = yield* add
                assert.strictEqual(addition._tag, before === undefined || before.length === 8 ? "Left" : "Right")
                if (addition._tag === "Right") {
                  assert.deepStrictEqual(addition.right.photos.slice(0, -1).map(({ id }) => id), before)
                  photoIds.set(key.id, addition.right.photos.map(({ id }) => id))
                }
              }
            }
            yield* runTasks
            const expected = [...photoIds.values()].flat()
              .flatMap((id) => [`${orgId}/${id}-1600`, `${orgId}/${id}-800`])
            const { coverUrl, logoUrl } = yield* (yield* Orgs).get(orgId)
            for (const url of [coverUrl, logoUrl]) {
              const [, path = ""] = /^\/photos\/(.*)\.webp$/.exec(url ?? "") ?? []
              if (path !== "") expected.push(path.replace(/\/(\w+)$/, "-$1"))
            }
            assert.deepStrictEqual([...(yield* files.contents).keys()].sort(), expected.sort())
          }).pipe(Effect.provide(world))
        )),
      { numRuns: 30 }
    )
  ))
