/**
 * The worker thread of `MailParserPool`. It parses one email at a time. An email of 25 MB takes seconds and would block
 * the main thread.
 */
import { parentPort } from "node:worker_threads"
import type { ParseResult } from "./ParsedMail.ts"
import { readAll, type SharedRequest } from "./parseMail.ts"
import { parseProviderPayload, type PostedMail, type ProviderPayload } from "./parseProviderPayload.ts"

/** A task of the thread. */
export type Task =
  | { readonly _tag: "Read"; readonly request: SharedRequest }
  | { readonly _tag: "Unpack"; readonly posted: PostedMail }

const buffersOf = (bytes: ReadonlyArray<Uint8Array>): Array<ArrayBuffer> =>
  // Two files can share a buffer, and each buffer can be transferred once.
  [...new Set(bytes.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer)

const filesOf = (reading: ParseResult): ReadonlyArray<Uint8Array> =>
  reading._tag === "Message" ? reading.mail.files.map(({ bytes }) => bytes) : []

const copyPayload = ({ envelope, raw }: ProviderPayload): ProviderPayload => ({ envelope, raw: Uint8Array.from(raw) })

// The pool waits for this message. Without it, the thread failed to start.
parentPort?.postMessage("ready", [])

parentPort?.on("message", (task: Task) => {
  if (task._tag === "Read") {
    void readAll(task.request).then((readings) =>
      parentPort?.postMessage(readings, buffersOf(readings.flatMap(filesOf)))
    )
    return
  }
  const provided = parseProviderPayload(task.posted)
  // The copy drops the rest of the request, which can be twice as long as the email.
  const mail = provided === undefined ? undefined : copyPayload(provided)
  parentPort?.postMessage(mail, mail === undefined ? [] : buffersOf([mail.raw]))
})
