/**
 * Where mails are read away from the thread that answers requests: 25 MB hold a
 * thread for seconds. Run as a worker by `MailParserPool`; one mail at a time.
 */
import { parentPort } from "node:worker_threads"
import type { ParseResult } from "./ParsedMail.ts"
import { readAll, type SharedRequest } from "./parseMail.ts"
import { parseProviderPayload, type Posted, type ProviderPayload } from "./parseProviderPayload.ts"

/** What a thread is asked to do. */
export type Task =
  | { readonly _tag: "Read"; readonly request: SharedRequest }
  | { readonly _tag: "Unpack"; readonly posted: Posted }

const buffersOf = (bytes: ReadonlyArray<Uint8Array>): Array<ArrayBuffer> =>
  // Transferred instead of copied. Two files can share a buffer.
  [...new Set(bytes.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer)

const filesOf = (reading: ParseResult): ReadonlyArray<Uint8Array> =>
  reading._tag === "Message" ? reading.mail.files.map(({ bytes }) => bytes) : []

const copied = ({ envelope, raw }: ProviderPayload): ProviderPayload => ({ envelope, raw: Uint8Array.from(raw) })

// Whoever never says this could not be started, which no mail is to blame for.
parentPort?.postMessage("ready", [])

parentPort?.on("message", (task: Task) => {
  if (task._tag === "Read") {
    void readAll(task.request).then((readings) =>
      parentPort?.postMessage(readings, buffersOf(readings.flatMap(filesOf)))
    )
    return
  }
  const provided = parseProviderPayload(task.posted)
  // Without the rest of what was posted, which can be twice as long as the mail.
  const mail = provided === undefined ? undefined : copied(provided)
  parentPort?.postMessage(mail, mail === undefined ? [] : buffersOf([mail.raw]))
})
