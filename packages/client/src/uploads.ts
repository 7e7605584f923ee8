import type { CallOptions } from "./Client.ts"
import type { Attachment } from "./operations.ts"
import type { Send } from "./sendWithRetry.ts"

export interface UploadOptions extends CallOptions {
  /** The file name. Defaults to the name of a `File`. */
  readonly name?: string | undefined
}

/** Uploads of message attachments. */
export interface Uploads {
  /**
   * Uploads a JPEG, PNG, WebP, or HEIC picture or a PDF of at most 10 MB. Use its ID in the `attachments` of a
   * message within 24 hours. The default timeout of an attempt is one minute. A retry may upload the file twice.
   * Unused files are removed.
   */
  readonly upload: (file: Blob | Uint8Array<ArrayBuffer>, options?: UploadOptions) => Promise<Attachment>
}

export const uploads = (send: Send): Uploads => ({
  upload: async (file, { name, ...options } = {}) => {
    const body = new FormData()
    body.append(
      "file",
      file instanceof Blob ? file : new Blob([file]),
      name ?? (file instanceof Blob && "name" in file ? String(file.name) : "")
    )
    const request = { method: "POST", path: "/attachments", headers: {}, body, isRepeatableByCaller: true } as const
    const answer = await send(request, true, { timeoutMs: uploadMs, ...options })
    // The response type of this endpoint in the API description.
    return answer as Attachment
  }
})

const uploadMs = 60_000
