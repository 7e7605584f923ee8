/**
 * Offering photos, and an org's logo and cover. The offering lists its photos, and `Files` stores their bytes in two
 * widths. The org stores its images' paths, and `Files` stores each image in a single width.
 *
 * A task that removes the bytes is stored before the bytes themselves. The task runs an hour later, and keeps the photo
 * if the offering or the org lists it. A crash therefore never leaves orphaned bytes.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { maxPhotos, type Offering, type Photo } from "../offering/Offering.ts"
import type { OfferingRefusals } from "../offering/OfferingDecider.ts"
import { loadOffering, makeWriteOffering } from "../offering/Offerings.ts"
import { OfferingStore, type OrgKey } from "../offering/OfferingStore.ts"
import { getImagePath, type ImageKind, imageKinds, listUploadedImages, type Org } from "../org/Org.ts"
import { makeImageRemovalTasks, Orgs, OrgStore } from "../org/Orgs.ts"
import { Ids } from "../port/Ids.ts"
import { UnitOfWork } from "../port/UnitOfWork.ts"
import { invalid, type Refusal, refuse, unavailable } from "../Refusal.ts"
import { type AuditActor, AuditLog } from "../staff/AuditLog.ts"
import * as Task from "../task/Task.ts"
import { TaskStore } from "../task/Tasks.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import { detectFileType, fileTooLargeRefusal } from "./Attachments.ts"
import { Files, maxFileBytes, toStorageKey } from "./StoredFile.ts"

type UploadRefusal = Refusal<"not_found"> | OfferingRefusals["Update"]

type FileRefusal = Refusal<"too_large" | "unsupported_type" | "unavailable">

/** The maximum widths of a photo's stored files, in pixels. */
export const photoWidths = [800, 1600] as const

export type PhotoWidth = (typeof photoWidths)[number]

/** The WebP files for photos and images, as named in URLs. */
type PhotoFile = PhotoWidth | ImageKind

export const photoFileNames: ReadonlyArray<PhotoFile> = [...photoWidths, ...imageKinds]

export class Photos extends Context.Tag("@trailbook/core/Photos")<
  Photos,
  {
    /** Resizes a JPEG, PNG, or WebP file of up to 10 MiB, and adds it after the offering's other photos. */
    readonly add: (
      key: OrgKey,
      input: { readonly alt: string; readonly bytes: Uint8Array }
    ) => Effect.Effect<Offering, UploadRefusal | FileRefusal>
    /** Sets the photos' order and alt texts. Omitted photos are removed. */
    readonly set: (
      key: OrgKey,
      photos: ReadonlyArray<Pick<Photo, "id" | "alt">>
    ) => Effect.Effect<Offering, UploadRefusal>
    /** Resizes a JPEG, PNG, or WebP file of up to 10 MiB, and sets it as the logo or the cover. */
    readonly addImage: (
      orgId: string,
      input: { readonly kind: ImageKind; readonly bytes: Uint8Array; readonly by: AuditActor }
    ) => Effect.Effect<Org, Refusal<"not_found" | "invalid_request"> | FileRefusal>
    /** Returns the WebP file for a photo or an image. */
    readonly open: (
      key: OrgKey,
      file: PhotoFile
    ) => Effect.Effect<Option.Option<ReadableStream<Uint8Array>>, Refusal<"unavailable">>
  }
>() {
  static readonly layer = Layer.effect(Photos, Effect.suspend(() => makePhotos))
}

const makePhotos = Effect.gen(function*() {
  const audit = yield* AuditLog
  const files = Option.getOrUndefined(yield* Effect.serviceOption(Files))
  const resizer = Option.getOrUndefined(yield* Effect.serviceOption(PhotoResizer))
  const ids = yield* Ids
  const orgs = yield* Orgs
  const store = yield* OfferingStore
  const tasks = yield* TaskStore
  const { run } = yield* UnitOfWork
  const write = yield* makeWriteOffering

  const changePhotos = <E>(key: OrgKey, selectPhotos: (offering: Offering) => Effect.Effect<ReadonlyArray<Photo>, E>) =>
    run(Effect.gen(function*() {
      const offering = yield* Effect.flatMap(store.lock([key]), loadOffering(key))
      const photos = yield* selectPhotos(offering)
      const removedPhotos = offering.photos.filter(({ id }) => photos.every((photo) => photo.id !== id))
      if (removedPhotos.length > 0) {
        yield* tasks.add(makePhotoRemovalTasks(ids, key, removedPhotos, yield* currentTime))
      }
      return yield* write(offering, { _tag: "Update", patch: { photos } })
    }))

  const checkPhotoCount = ({ photos }: Offering) =>
    photos.length < maxPhotos
      ? Effect.succeed(photos)
      : invalid(`file: an offering can have at most ${maxPhotos} photos`)

  /**
   * Checks an uploaded file. Returns an effect that resizes the file, and a function that stores the results under
   * their keys.
   */
  const checkUpload = (bytes: Uint8Array) =>
    Effect.gen(function*() {
      if (files === undefined || Files.isNowhere(files) || resizer === undefined) return yield* notConfigured
      if (bytes.byteLength > maxFileBytes) return yield* fileTooLargeRefusal
      if (!resizableTypes.has(detectFileType(bytes) ?? "")) {
        return yield* refuse("unsupported_type", unsupportedMessage)
      }
      const storeFiles = (
        removals: (dueAt: Instant.Instant) => ReadonlyArray<Task.Task>,
        contents: ReadonlyArray<readonly [key: string, bytes: Uint8Array]>
      ) =>
        Effect.gen(function*() {
          const dueAt = Instant.addMinutes(yield* currentTime, 60)
          yield* run(tasks.add(removals(dueAt)))
          yield* Effect.mapError(
            Effect.forEach(contents, ([key, content]) => files.put(key, content)),
            () => storageUnavailable
          )
        })
      return { resize: resizer.resize(bytes), storeFiles }
    })

  return Photos.of({
    add: (key, { alt, bytes }) =>
      Effect.gen(function*() {
        const { storeFiles, resize } = yield* checkUpload(bytes)
        yield* Effect.flatMap(Effect.flatMap(store.find([key]), loadOffering(key)), checkPhotoCount)
        const { files: images, height, width } = yield* resize
        const photo = { id: ids.uuid(), alt, width, height }
        yield* storeFiles(
          (dueAt) => makePhotoRemovalTasks(ids, key, [photo], dueAt),
          photoWidths.map((one) => [photoKey(key.orgId, photo.id, one), images[one]])
        )
        return yield* changePhotos(key, (offering) =>
          Effect.map(checkPhotoCount(offering), (photos) => [...photos, photo]))
      }),
    set: (key, entries) =>
      changePhotos(key, (offering) =>
        Effect.forEach(entries, ({ alt, id }, at) => {
          const photo = offering.photos.find((one) => one.id === id)
          return photo === undefined || entries.findIndex((one) => one.id === id) < at
            ? invalid(`photos.${at}.id: must be a photo of this offering, listed only once`)
            : Effect.succeed({ ...photo, alt })
        })),
    addImage: (orgId, { by, bytes, kind }) =>
      Effect.gen(function*() {
        const { storeFiles, resize } = yield* checkUpload(bytes)
        const { files: images } = yield* resize
        const id = ids.uuid()
        yield* storeFiles(
          (dueAt) => makeImageRemovalTasks(ids, orgId, [`${kind} ${id}`], dueAt),
          [[photoKey(orgId, id, kind), images[kind === "logo" ? 800 : 1600]]]
        )
        const url = getImagePath(orgId, kind, id)
        return yield* orgs.update(
          orgId,
          kind === "logo" ? { logoUrl: url } : { coverUrl: url },
          () => audit.add({ orgId, by, what: "org.changed", subject: orgId, name: `${kind}_url` })
        )
      }),
    open: ({ id, orgId }, file) =>
      files === undefined
        ? Effect.succeedNone
        : Effect.mapError(files.get(photoKey(orgId, id, file)), () => storageUnavailable)
  })
})

const resizableTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/webp"])
const unsupportedMessage =
  "Unsupported file type. Upload a JPEG, PNG, or WebP photo. Phones can convert HEIC photos to JPEG."

const notConfigured = unavailable("Photos are not available: the server needs file storage and the sharp package.")
const storageUnavailable = unavailable("File storage is unavailable. Retry the request.")
const photoKey = (orgId: string, id: string, file: PhotoFile) => `${toStorageKey({ orgId, id })}-${file}`

/**
 * Creates the tasks that delete the photos' bytes. A task keeps a photo's bytes if the offering lists the photo when
 * the task runs.
 */
export const makePhotoRemovalTasks = (
  ids: Ids["Type"],
  { id: offeringId, orgId }: OrgKey,
  photos: ReadonlyArray<Photo>,
  dueAt: Instant.Instant
): ReadonlyArray<Task.Task> =>
  photos.map(({ id }) =>
    Task.make({ id: ids.uuid(), orgId, kind: "photo.remove", subjectId: `${offeringId} ${id}`, dueAt })
  )

/** Deletes the bytes of a photo or an image if its offering or org no longer has it. */
export const makeRemovePhoto = Effect.gen(function*() {
  const { remove } = yield* Files
  const offerings = yield* OfferingStore
  const orgs = yield* OrgStore
  return ({ orgId, subjectId }: Pick<Task.Task, "orgId" | "subjectId">) =>
    Effect.gen(function*() {
      const [owner = "", id = ""] = subjectId.split(" ")
      const kind = imageKinds.find((kind) => kind === owner)
      if (kind === undefined) {
        const [offering] = yield* offerings.find([{ orgId, id: owner }])
        if (offering?.photos.some((photo) => photo.id === id)) return
      } else if (Option.exists(yield* orgs.find(orgId), (org) => listUploadedImages(org).includes(subjectId))) return
      yield* Effect.forEach(kind === undefined ? photoWidths : [kind], (file) => remove(photoKey(orgId, id, file)))
    })
})

/** A photo as WebP without metadata. `width` and `height` describe the larger file. */
export interface ResizedPhoto {
  readonly width: number
  readonly height: number
  readonly files: { readonly [Width in PhotoWidth]: Uint8Array }
}

/**
 * The maximum number of pixels in an uploaded photo. Even a small file can contain more pixels than this (a
 * decompression bomb).
 */
export const maxPhotoPixels = 50_000_000

/** Resizes photos outside the thread that handles requests. The service is optional. Without it, photos are refused. */
export class PhotoResizer extends Context.Tag("@trailbook/core/PhotoResizer")<
  PhotoResizer,
  {
    /** Resizes a JPEG, PNG, or WebP image. Applies the orientation, and never enlarges the image. */
    readonly resize: (
      bytes: Uint8Array
    ) => Effect.Effect<ResizedPhoto, Refusal<"invalid_request"> | Refusal<"unavailable">>
  }
>() {}
