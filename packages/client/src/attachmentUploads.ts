import type { CallOptions } from "./Client.ts"
import type { Attachment, Org, Photo } from "./operations.ts"
import type { PreparedRequestSender } from "./sendWithRetry.ts"

export interface UploadOptions extends CallOptions {
  /** The file name. Default: the name of a `File`. */
  readonly name?: string | undefined
}

/** Uploads attachments for messages. */
export interface AttachmentUploads {
  /**
   * Uploads a JPEG, PNG, WebP, HEIC, or PDF file of at most 10 MB. Use its ID in a message's `attachments` within 24
   * hours, or the server deletes the file. Each attempt times out after one minute. A retry may store the file twice.
   */
  readonly upload: (file: Blob | Uint8Array<ArrayBuffer>, options?: UploadOptions) => Promise<Attachment>
}

/** Uploads offering photos. */
export interface PhotoUploads {
  /**
   * Adds a JPEG, PNG, or WebP photo of at most 10 MB to an offering. `alt` describes the photo for people who cannot
   * see it. Each attempt times out after one minute. A retry may add the photo twice.
   */
  readonly add_photo: (
    input: { readonly id: string; readonly file: Blob | Uint8Array<ArrayBuffer>; readonly alt: string },
    options?: CallOptions
  ) => Promise<Photo>
}

/** Uploads the logo and cover. */
export interface ImageUploads {
  /**
   * Sets a JPEG, PNG, or WebP file of at most 10 MB as the logo or cover. The path in the result is relative to the
   * public URL. To remove the image, call `org.update` with null. Each attempt times out after one minute.
   */
  readonly add_image: (
    input: { readonly kind: "logo" | "cover"; readonly file: Blob | Uint8Array<ArrayBuffer> },
    options?: CallOptions
  ) => Promise<Org>
}

export const makeAttachmentUploads = (send: PreparedRequestSender): AttachmentUploads => ({
  // The casts follow the API description, because the generated types do not cover form uploads.
  upload: async (file, options) => await upload(send, "/attachments", file, {}, options) as Attachment
})

export const makePhotoUploads = (send: PreparedRequestSender): PhotoUploads => ({
  add_photo: async ({ alt, file, id }, options) =>
    await upload(send, `/offerings/${encodeURIComponent(id)}/photos`, file, { alt }, options) as Photo
})

export const makeImageUploads = (send: PreparedRequestSender): ImageUploads => ({
  add_image: async ({ file, kind }, options) => await upload(send, "/org/images", file, { kind }, options) as Org
})

const upload = (
  send: PreparedRequestSender,
  path: `/${string}`,
  file: Blob | Uint8Array<ArrayBuffer>,
  fields: Readonly<Record<string, string>>,
  { name, ...options }: UploadOptions = {}
): Promise<unknown> => {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  body.append(
    "file",
    file instanceof Blob ? file : new Blob([file]),
    name ?? (file instanceof Blob && "name" in file ? String(file.name) : "")
  )
  const request = { method: "POST", path, headers: {}, body, isRepeatableByCaller: true } as const
  return send(request, true, { timeoutMs: uploadMs, ...options })
}

const uploadMs = 60_000
