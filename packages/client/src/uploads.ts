import type { CallOptions } from "./Client.ts"
import type { Attachment } from "./operations.ts"
import type { Send } from "./sendWithRetry.ts"

export interface UploadOptions extends CallOptions {
  /** What the file is called; a `File` says it itself. */
  readonly name?: string | undefined
}

/** Files for messages. */
export interface Uploads {
  /**
   * Uploads a JPEG, PNG, WebP or HEIC picture or a PDF document of at most 10 MB. Name its id in the `attachments` of
   * a message within 24 hours. An attempt may take a minute when nothing else is said. A call that is sent again may
   * upload the file again; what no message uses is removed.
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
    // What the address answers, as its description says.
    return answer as Attachment
  }
})

const uploadMs = 60_000
