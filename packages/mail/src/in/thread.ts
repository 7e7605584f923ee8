/**
 * Where mails are read away from the thread that answers requests: 25 MB hold a
 * thread for seconds. Run as a worker by `MailReader`; one mail at a time.
 */
import { parentPort } from "node:worker_threads"
import { read, type Request } from "./read.ts"

const bytesIn = (answer: Awaited<ReturnType<typeof read>>): Array<ArrayBuffer> =>
  answer._tag !== "Message"
    ? []
    // Handed over and not copied; two files may share what they lie in.
    : [...new Set(answer.mail.files.map(({ bytes }) => bytes.buffer))].filter((buffer) => buffer instanceof ArrayBuffer)

// Whoever never says this could not be started, which no mail is to blame for.
parentPort?.postMessage("ready", [])

parentPort?.on("message", (request: Request) => {
  void read(request).then((reading) => parentPort?.postMessage(reading, bytesIn(reading)))
})
