/** The worker thread for `CleanerThread`. */
import { type FileType, stripMetadata } from "@trailbook/core/file"
import { parentPort } from "node:worker_threads"

export interface CleanRequest {
  readonly id: number
  readonly type: FileType
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface CleanResult {
  readonly id: number
  readonly cleaned: Uint8Array | undefined
}

parentPort?.on("message", ({ bytes, id, type }: CleanRequest) => {
  const cleaned = stripMetadata(type, bytes)
  parentPort?.postMessage({ id, cleaned } satisfies CleanResult, cleaned === undefined ? [] : [bytes.buffer])
})
