/**
 * The worker thread for `MailParserPool`, which parses one email at a time. Parsing a 25 MB email takes seconds, which
 * would block the main thread.
 */
import { parentPort } from "node:worker_threads"
import { parseProviderPayload, type ProviderPayload, type ProviderRequest } from "../parseProviderPayload.ts"
import type { ParseResult } from "./ParsedMail.ts"
import { parseForAllRecipients, type SharedParseRequest } from "./parseMail.ts"

/** A task for the worker thread. */
export type ParserTask =
  | { readonly _tag: "Read"; readonly request: SharedParseRequest }
  | { readonly _tag: "Unpack"; readonly providerRequest: ProviderRequest }

const buffersOf = (bytes: ReadonlyArray<Uint8Array>): Array<ArrayBuffer> =>
  // Two files can share a buffer, but each buffer can be transferred only once.
  [...new Set(bytes.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer)

const filesOf = (reading: ParseResult): ReadonlyArray<Uint8Array> =>
  reading._tag === "Message" ? reading.mail.files.map(({ bytes }) => bytes) : []

const copyPayload = ({ envelope, raw }: ProviderPayload): ProviderPayload => ({ envelope, raw: Uint8Array.from(raw) })

// The pool waits for this message, because a thread that never sends it failed to start.
parentPort?.postMessage("ready", [])

parentPort?.on("message", (task: ParserTask) => {
  if (task._tag === "Read") {
    void parseForAllRecipients(task.request).then((readings) =>
      parentPort?.postMessage(readings, buffersOf(readings.flatMap(filesOf)))
    )
    return
  }
  const payload = parseProviderPayload(task.providerRequest)
  // Copy only the email, because the request can be twice as large.
  const mail = payload === undefined ? undefined : copyPayload(payload)
  parentPort?.postMessage(mail, mail === undefined ? [] : buffersOf([mail.raw]))
})
