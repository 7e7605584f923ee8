/** Endpoints that upload and download message attachments, offering photos, and outfitter images. */
import { invalid, notFound } from "@trailbook/core"
import { FileLinks } from "@trailbook/core/conversation"
import {
  Attachments,
  AttachmentView,
  attachmentView,
  fileTooLargeRefusal,
  fileTypes,
  isShownInline,
  maxFileBytes,
  type OpenedFile,
  photoFileNames,
  Photos,
  type StoredFile
} from "@trailbook/core/file"
import { photoAltField, PhotoView, toPhotoViews } from "@trailbook/core/offering"
import { OrgView, orgView } from "@trailbook/core/org"
import { imageKinds } from "@trailbook/core/org/Org"
import { toAuditActor } from "@trailbook/core/staff"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FairQueue from "../limit/FairQueue.ts"
import * as Disposition from "../response/disposition.ts"
import * as Reply from "../response/Reply.ts"
import type { AnyRoute, Route } from "../Route.ts"
import { type FormWithFiles, makeMultipartFormBody } from "./multipartFormBody.ts"
import { noBody } from "./noBody.ts"
import { makeUploadBody, type UploadedFile } from "./uploadBody.ts"

type KeyCaller = { readonly scope: "read" | "write" | "admin" }

/**
 * Creates the routes `POST /v1/attachments`, `GET /api/attachments/:id`, and, for guests, `GET /files/:org/:id/:key`.
 */
export const attachmentRoutes: Effect.Effect<ReadonlyArray<AnyRoute>, never, Attachments | FileLinks> = Effect.map(
  Effect.all([Attachments, FileLinks]),
  ([{ find, keep, open }, links]) => {
    // Inspecting an image blocks the event loop for about 10 ms, so each org's uploads run one at a time.
    const runQueued = FairQueue.make({ each: 1, all: 4 })

    const uploadRoute: Route<KeyCaller, UploadedFile> = {
      method: "POST",
      path: "/v1/attachments",
      name: "attachments.upload",
      caller: { scope: "write" },
      body: makeUploadBody({ field: "file", maxBytes: maxFileBytes, tooLarge: fileTooLargeRefusal }),
      answer: ({ actor: { orgId }, body }) =>
        Effect.map(
          runQueued(orgId, keep({ orgId, ...body })),
          (file) => Reply.json(201, attachmentView(file))
        ),
      description: {
        tag: "attachments",
        summary: "Upload a file for a message.",
        description:
          "Accepts a JPEG, PNG, WebP, HEIC, or PDF of at most 10 MB. The type is detected from the content. Location " +
          "and camera data are removed from pictures. Add the file's ID to a message's `attachments` within 24 " +
          "hours, or the file is deleted. Requires an API key with the `write` scope.",
        refusals: ["unsupported_type"],
        status: 201,
        content: (schemas) => schemas.content(AttachmentView)
      }
    }

    const openRoute: Route<KeyCaller, undefined> = {
      method: "GET",
      path: "/api/attachments/:id",
      name: "attachments.open",
      caller: { scope: "read" },
      body: noBody,
      answer: ({ actor: { orgId }, param, request }) => {
        const key = { orgId, id: param("id").toLowerCase() }
        if (!isId(key.id)) return notFound("attachment", shortId(key.id))
        return request.method === "HEAD"
          ? Effect.map(find(key), headReply)
          : Effect.map(Effect.uninterruptible(open(key)), makeFileReply)
      },
      description: {
        tag: "attachments",
        summary: "Download a message attachment.",
        description:
          "Returns the stored file. Pictures that browsers can display are sent inline, and all other files are " +
          "sent as downloads. Requires an API key with the `read` scope.",
        refusals: ["not_found"],
        status: 200,
        content: () =>
          Object.fromEntries(
            Object.keys(fileTypes).map((type) => [type, { schema: { type: "string", format: "binary" } }])
          )
      }
    }
    const shareRoute: Route<"anyone", undefined> = {
      method: "GET",
      path: "/files/:org/:id/:key",
      name: "attachments.share",
      caller: "anyone",
      body: noBody,
      answer: ({ param, request }) => {
        const file = { orgId: param("org").toLowerCase(), id: param("id").toLowerCase(), key: param("key") }
        if (!isId(file.orgId) || !isId(file.id)) return notFound("attachment", shortId(file.id))
        const fileResponse = request.method === "HEAD"
          ? Effect.map(links.find(file), headReply)
          : Effect.map(Effect.uninterruptible(links.open(file)), makeFileReply)
        return Effect.map(
          fileResponse,
          ({ headers, ...reply }) => ({ ...reply, headers: { ...headers, ...shareHeaders } })
        )
      }
    }
    return [uploadRoute, openRoute, shareRoute]
  }
)

/** Defines a form with one file and one other field. */
const fileForm = <A>(name: string, field: Field.Field<A>, problem: string) => ({
  body: {
    ...makeMultipartFormBody({ field: "file", maxBytes: maxFileBytes, tooLarge: fileTooLargeRefusal }),
    described: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            required: ["file", name],
            properties: {
              file: { type: "string", format: "binary", description: `At most ${maxFileBytes} bytes.` },
              [name]: Field.toJsonSchema(field)
            },
            additionalProperties: false
          }
        }
      }
    }
  },
  read: ({ fields: { [name]: text, ...otherFields }, files: [file, ...moreFiles] }: FormWithFiles) =>
    Effect.gen(function*() {
      const [other] = Object.keys(otherFields)
      if (other !== undefined) return yield* invalid(`${shortId(other)}: is not a field of this form`)
      if (file === undefined || moreFiles.length > 0) return yield* invalid("file: must contain exactly one file")
      const value = yield* Effect.mapError(Schema.decodeUnknown(field)(text), () => invalid(`${name}: ${problem}`))
      return [file.bytes, value] as const
    })
})

/** Creates the route `POST /v1/offerings/:id/photos`. */
export const photoUploadRoute: Effect.Effect<AnyRoute, never, Photos> = Effect.map(Photos, ({ add }) => {
  const runQueued = FairQueue.make({ each: 1, all: 4 })
  const form = fileForm("alt", photoAltField, "must be 1 to 200 characters long")
  const route: Route<KeyCaller, FormWithFiles> = {
    method: "POST",
    path: "/v1/offerings/:id/photos",
    name: "offerings.add_photo",
    caller: { scope: "write" },
    body: form.body,
    answer: ({ actor: { orgId }, body, param }) =>
      Effect.gen(function*() {
        const id = param("id").toLowerCase()
        if (!isId(id)) return yield* notFound("offering", shortId(id))
        const [bytes, alt] = yield* form.read(body)
        const { photos, ...offering } = yield* runQueued(orgId, add({ orgId, id }, { alt, bytes }))
        return Reply.json(201, toPhotoViews({ ...offering, photos: photos.slice(-1) })[0])
      }),
    description: {
      tag: "offerings",
      summary: "Add a photo to an offering.",
      description:
        "Accepts a JPEG, PNG, or WebP of at most 10 MB and 50 megapixels. The photo is stored as WebP, without " +
        "location and camera data, and appears on the booking page after the existing photos. `alt` describes the " +
        "photo for people who cannot see it. " +
        "An offering can have at most 8 photos. Requires an API key with the `write` scope.",
      refusals: ["not_found", "too_large", "unsupported_type"],
      status: 201,
      content: (schemas) => schemas.content(PhotoView)
    }
  }
  return route
})

/** Creates the route `POST /v1/org/images`. */
export const imageUploadRoute: Effect.Effect<AnyRoute, never, Photos> = Effect.map(Photos, ({ addImage }) => {
  const runQueued = FairQueue.make({ each: 1, all: 4 })
  const form = fileForm("kind", Field.oneOf(...imageKinds), `must be one of ${imageKinds.join(", ")}`)
  const route: Route<KeyCaller, FormWithFiles> = {
    method: "POST",
    path: "/v1/org/images",
    name: "org.add_image",
    caller: { scope: "admin" },
    body: form.body,
    answer: ({ actor, body }) =>
      Effect.gen(function*() {
        const [bytes, kind] = yield* form.read(body)
        const by = toAuditActor(actor)
        return Reply.json(201, orgView(yield* runQueued(actor.orgId, addImage(actor.orgId, { kind, bytes, by }))))
      }),
    description: {
      tag: "org",
      summary: "Upload a logo or cover image.",
      description:
        "Accepts a JPEG, PNG, or WebP of at most 10 MB and 50 megapixels. The image is stored as WebP, without " +
        "location and camera data. Its path, relative to the public URL, becomes the org's `logo_url` or " +
        "`cover_url`. The previous image is deleted. To remove the image, set the field to null with `org.update`. " +
        "Requires an API key with the `admin` scope.",
      refusals: ["not_found", "too_large", "unsupported_type"],
      status: 201,
      content: (schemas) => schemas.content(OrgView)
    }
  }
  return route
})

/**
 * Creates the route `GET /photos/:org/:id/:file`. Photos are public and their IDs are never reused, so they can be
 * cached permanently.
 */
export const photoRoute: Effect.Effect<AnyRoute, never, Photos> = Effect.map(Photos, ({ open }): AnyRoute => ({
  method: "GET",
  path: "/photos/:org/:id/:file",
  name: "photos.open",
  caller: "anyone",
  body: noBody,
  answer: ({ param }) =>
    Effect.gen(function*() {
      const [orgId, id] = [param("org").toLowerCase(), param("id").toLowerCase()]
      const file = photoFileNames.find((name) => param("file") === `${name}.webp`)
      if (!isId(orgId) || !isId(id) || file === undefined) return yield* notFound("photo", shortId(id))
      const content = yield* Effect.uninterruptible(open({ orgId, id }, file))
      if (Option.isNone(content)) return yield* notFound("photo", id)
      return {
        status: 200,
        body: toStream(content.value),
        headers: {
          "content-type": "image/webp",
          "content-security-policy": "default-src 'none'; sandbox",
          // Other sites may embed photos.
          "cross-origin-resource-policy": "cross-origin",
          "cache-control": "public, max-age=31536000, immutable"
        }
      }
    })
}))

const isId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

/** Shortens an ID for messages, because an ID in a path can have any length. */
const shortId = (id: string): string => id.slice(0, 40)

/** Builds the response that sends a file. */
export const makeFileReply = ({ content, file }: OpenedFile): Reply.Reply => ({
  status: 200,
  body: toStream(content, file.size),
  headers: toHeaders(file)
})

/**
 * Returns the headers for a file. The browser must use the declared type instead of guessing one. If the file turns out
 * to be an HTML page, these headers keep it from running scripts, reading this site, or loading other resources.
 */
const toHeaders = ({ name, size, type }: StoredFile) => ({
  "content-type": type,
  "content-length": String(size),
  "content-disposition": Disposition.format(isShownInline(type) ? "inline" : "attachment", name),
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-site",
  // The file never changes. The cache is private, because access depends on the viewer.
  "cache-control": "private, max-age=3600"
})

const headReply = (file: StoredFile): Reply.Reply => ({ status: 200, body: null, headers: toHeaders(file) })

/** The link grants access, so it must not leak to other sites or search engines. */
const shareHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex" }

const toStream = (content: ReadableStream<Uint8Array>, size = Infinity): Reply.ReplyStream => {
  const reader = content.getReader()
  let remainingBytes = size
  return {
    next: async () => {
      const { value } = await reader.read()
      remainingBytes -= value?.byteLength ?? 0
      return value
    },
    isOver: () => remainingBytes <= 0,
    stop: () => void reader.cancel().catch(() => {})
  }
}
