/** The worker thread for `SanitizerThread`. */
import { type FileType, stripMetadata } from "@trailbook/core/file"
import { parentPort } from "node:worker_threads"

export interface SanitizeRequest {
  readonly id: number
  readonly type: FileType
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface SanitizeResult {
  readonly id: number
  readonly bytes: Uint8Array | undefined
}

parentPort?.on("message", ({ bytes, id, type }: SanitizeRequest) => {
  const cleaned = stripMetadata(type, bytes)
  parentPort?.postMessage({ id, bytes: cleaned } satisfies SanitizeResult, cleaned === undefined ? [] : [bytes.buffer])
})
