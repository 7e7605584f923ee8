/**
 * Photos of offerings. The offering contains the list of its photos, and `Files` contains their bytes in two widths.
 *
 * A task that removes the bytes is stored before the bytes. It runs an hour later and keeps the photo if the offering
 * lists it. A crash therefore leaves no bytes without a photo.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { maxPhotos, type Offering, type Photo } from "../offering/Offering.ts"
import type { OfferingRefusals } from "../offering/OfferingDecider.ts"
import { loadOffering, makeWriteOffering } from "../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse, unavailable } from "../Refusal.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/TaskStore.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { detectFileType, tooLarge } from "./Attachments.ts"
import { Files } from "./Files.ts"
import { PhotoResizer, type PhotoWidth, photoWidths } from "./PhotoResizer.ts"
import { maxFileBytes, storageKey } from "./StoredFile.ts"

type UploadRefusal = Refusal<"not_found"> | OfferingRefusals["Update"]

export class Photos extends Context.Tag("@trailbook/core/Photos")<
  Photos,
  {
    /** Resizes a JPEG, PNG, or WebP of up to 10 MiB, and adds it after the offering's other photos. */
    readonly add: (
      key: OrgKey,
      given: { readonly alt: string; readonly bytes: Uint8Array }
    ) => Effect.Effect<Offering, UploadRefusal | Refusal<"too_large" | "unsupported_type" | "unavailable">>
    /** Sets the order and the texts of the photos. Photos that are left out are removed. */
    readonly set: (
      key: OrgKey,
      photos: ReadonlyArray<Pick<Photo, "id" | "alt">>
    ) => Effect.Effect<Offering, UploadRefusal>
    /** Returns the WebP file of a photo. */
    readonly open: (
      key: OrgKey,
      width: PhotoWidth
    ) => Effect.Effect<Option.Option<ReadableStream<Uint8Array>>, Refusal<"unavailable">>
  }
>() {
  static readonly layer = Layer.effect(
    Photos,
    Effect.gen(function*() {
      const files = Option.getOrUndefined(yield* Effect.serviceOption(Files))
      const resizer = Option.getOrUndefined(yield* Effect.serviceOption(PhotoResizer))
      const ids = yield* Ids
      const store = yield* OfferingStore
      const tasks = yield* TaskStore
      const { run } = yield* UnitOfWork
      const write = yield* makeWriteOffering

      const change = <E>(key: OrgKey, photosOf: (before: Offering) => Effect.Effect<ReadonlyArray<Photo>, E>) =>
        run(Effect.gen(function*() {
          const before = yield* Effect.flatMap(store.lock([key]), loadOffering(key))
          const photos = yield* photosOf(before)
          const removed = before.photos.filter(({ id }) => photos.every((kept) => kept.id !== id))
          if (removed.length > 0) yield* tasks.add(photoRemovalTasks(ids, key, removed, yield* currentTime))
          return yield* write(before, { _tag: "Update", patch: { photos } })
        }))

      const withRoom = ({ photos }: Offering) =>
        photos.length < maxPhotos
          ? Effect.succeed(photos)
          : invalid(`file: an offering has at most ${maxPhotos} photos`)

      return Photos.of({
        add: (key, { alt, bytes }) =>
          Effect.gen(function*() {
            if (files === undefined || Files.isNowhere(files) || resizer === undefined) return yield* notSetUp
            if (bytes.byteLength > maxFileBytes) return yield* tooLarge
            if (!resized.has(detectFileType(bytes) ?? "")) return yield* refuse("unsupported_type", notResized)
            yield* Effect.flatMap(Effect.flatMap(store.find([key]), loadOffering(key)), withRoom)
            const { files: made, height, width } = yield* resizer.resize(bytes)
            const photo = { id: ids.uuid(), alt, width, height }
            const late = Instant.addMinutes(yield* currentTime, 60)
            yield* run(tasks.add(photoRemovalTasks(ids, key, [photo], late)))
            yield* Effect.mapError(
              Effect.forEach(photoWidths, (one) => files.put(photoKey(key.orgId, photo.id, one), made[one])),
              () => storageAway
            )
            return yield* change(key, (before) => Effect.map(withRoom(before), (photos) => [...photos, photo]))
          }),
        set: (key, given) =>
          change(key, (before) =>
            Effect.forEach(given, ({ alt, id }, at) => {
              const photo = before.photos.find((one) => one.id === id)
              return photo === undefined || given.findIndex((one) => one.id === id) < at
                ? invalid(`photos.${at}.id: must be a photo of this offering, and listed once`)
                : Effect.succeed({ ...photo, alt })
            })),
        open: ({ id, orgId }, width) =>
          files === undefined
            ? Effect.succeedNone
            : Effect.mapError(files.get(photoKey(orgId, id, width)), () => storageAway)
      })
    })
  )
}

const resized: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/webp"])
const notResized = "Unsupported file type. Upload a JPEG, PNG, or WebP photo. Phones can convert HEIC photos to JPEG."

const notSetUp = unavailable("Photos are not available: the server needs file storage and the package sharp.")
const storageAway = unavailable("The file storage is unavailable. Retry the request.")
const photoKey = (orgId: string, id: string, width: PhotoWidth) => `${storageKey({ orgId, id })}-${width}`

/** Creates the tasks that delete the bytes of photos, unless the offering has them when the task runs. */
export const photoRemovalTasks = (
  ids: Ids["Type"],
  { id: offeringId, orgId }: OrgKey,
  photos: ReadonlyArray<Photo>,
  dueAt: Instant.Instant
): ReadonlyArray<Task.Task> =>
  photos.map(({ id }) =>
    Task.make({ id: ids.uuid(), orgId, kind: "photo.remove", subjectId: `${offeringId} ${id}`, dueAt })
  )

/** Deletes the bytes of a photo that its offering no longer has. */
export const makeRemovePhoto = Effect.gen(function*() {
  const { remove } = yield* Files
  const { find } = yield* OfferingStore
  return ({ orgId, subjectId }: Pick<Task.Task, "orgId" | "subjectId">) =>
    Effect.gen(function*() {
      const [offeringId = "", id = ""] = subjectId.split(" ")
      const [offering] = yield* find([{ orgId, id: offeringId }])
      if (offering?.photos.some((photo) => photo.id === id)) return
      yield* Effect.forEach(photoWidths, (width) => remove(photoKey(orgId, id, width)))
    })
})
