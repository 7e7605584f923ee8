import { it } from "@effect/vitest"
import { type Mail, Mailer, MailFailed } from "@trailbook/core/mail"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import PostalMime from "postal-mime"
import { afterEach, assert, beforeEach, describe, it as test } from "vitest"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trailbook-outbox-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const mail = {
  id: "0197a1b2-0000-7000-8000-000000000001",
  from: { name: "Pine River Outfitters" },
  to: { name: "Ada Lovelace", email: "ada@example.com" },
  replyTo: null,
  subject: "Booking confirmed: Pine River Outfitters (7K3M9Q2X)",
  text: "Hi Ada,\n\n9:00 AM – 12:00 PM\n",
  html: "<!doctype html>\n<p>Hi Ada, 9:00 AM – 12:00 PM</p>\n",
  calendar: { method: "PUBLISH", ics: "BEGIN:VCALENDAR\r\nSUMMARY:Café\r\nEND:VCALENDAR\r\n" },
  thread: null,
  automatic: "generated",
  attachments: [],
  bounceToken: null
} satisfies Mail

const send = (mail: Mail, directory = join(root, "outbox")) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(
    Effect.provide(OutboxFolder.layer({ directory, from: "bookings@trailbook.example" }))
  )

const names = () => readdirSync(join(root, "outbox"))
const bytes = () => readFileSync(join(root, "outbox", names()[0] ?? ""))

const decode = (content: string | ArrayBuffer | Uint8Array | undefined) =>
  typeof content === "string" ? content : new TextDecoder().decode(content)

it.effect("the mailer uses the outbox folder that the configuration names", () =>
  Effect.gen(function*() {
    const layer = OutboxFolder.layerConfig({
      directory: Config.string("OUTBOX"),
      from: Config.succeed("bookings@trailbook.example")
    }).pipe(
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["OUTBOX", join(root, "outbox")]]))))
    )
    yield* Effect.provide(Effect.flatMap(Mailer, ({ send }) => send(mail)), layer)
    assert.lengthOf(names(), 1)
  }))

describe("an outbox file", () => {
  it.effect("has a name that sorts chronologically", () =>
    Effect.gen(function*() {
      const [first, second] = ["0197a1b2-c3d4-7000-8000-000000000001", "0197a1b2-c3d5-7000-8000-000000000000"]
      // Send the message with the later ID first.
      yield* send({ ...mail, id: second })
      yield* send({ ...mail, id: first })
      assert.deepEqual(names().sort(), [
        `2025-06-24T11-28-56.788Z-${first}.eml`,
        `2025-06-24T11-28-56.789Z-${second}.eml`
      ])
    }))

  it.effect("is named after the email's ID if the ID contains no time", () =>
    Effect.gen(function*() {
      const id = "0197a1b2-c3d4-4000-8000-000000000001"
      yield* send({ ...mail, id })
      assert.deepEqual(names(), [`${id}.eml`])
    }))

  it.effect("contains the plain text, HTML, and calendar parts", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 4, 1, 15))
      yield* send(mail)
      const raw = bytes().toString()
      const email = yield* Effect.promise(() => PostalMime.parse(raw))
      assert.deepEqual(email.from, { name: "Pine River Outfitters", address: "bookings@trailbook.example" })
      assert.deepEqual(email.to, [{ name: "Ada Lovelace", address: "ada@example.com" }])
      assert.strictEqual(email.subject, mail.subject)
      assert.strictEqual(email.messageId, `<${mail.id}@trailbook.example>`)
      assert.strictEqual(email.date, "2026-05-01T15:00:00.000Z")
      assert.strictEqual(email.headers.find(({ key }) => key === "auto-submitted")?.value, "auto-generated")
      // The parser leaves the line break before the next boundary at the end of each part.
      assert.strictEqual(email.text, `${mail.text}\n`)
      assert.strictEqual(email.html, `${mail.html}\n`)
      const [choice, file, ...others] = email.attachments
      assert.deepEqual(others, [])
      assert.deepEqual([choice?.mimeType, choice?.method, choice?.filename], ["text/calendar", "PUBLISH", null])
      assert.deepEqual([file?.mimeType, file?.disposition, file?.filename], [
        "application/ics",
        "attachment",
        "booking.ics"
      ])
      assert.notMatch(raw, /[^\r]\n/)
      // The parser changes the line breaks in calendars, so the test also decodes the file itself.
      const [, base64 = ""] = /filename=booking\.ics\r\n[^]*?\r\n\r\n([^-]*)/.exec(raw) ?? []
      assert.strictEqual(Buffer.from(base64, "base64").toString(), mail.calendar.ics)
      const lines = mail.calendar.ics.trim().split("\r\n")
      assert.deepEqual(decode(choice?.content).trim().split("\n"), lines)
    }))

  it.effect("is readable only by its owner", () =>
    Effect.gen(function*() {
      yield* send(mail)
      assert.strictEqual(statSync(join(root, "outbox")).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(root, "outbox", names()[0] ?? "")).mode & 0o777, 0o600)
    }))

  it.effect("is replaced if the email is sent again", () =>
    Effect.gen(function*() {
      yield* send(mail)
      const [first] = names()
      yield* TestClock.adjust("1 hour")
      yield* send({ ...mail, subject: "New booking time", text: "Later\n" })
      yield* send({ ...mail, id: "0197a1b2-0000-7000-8000-000000000002" })
      assert.lengthOf(names(), 2)
      assert.strictEqual(names()[0], first)
      assert.include(bytes().toString(), "Later")
    }))

  it.effect("stays inside the folder for any ID or subject", () =>
    Effect.gen(function*() {
      const ids = ["1", "a-1", "../1", "..", "", "a/b", "a\0b", "x".repeat(300), "<evil>@host", "字"]
      for (const id of ids) yield* send({ ...mail, id, subject: `../../字 ${id}` })
      assert.deepEqual(readdirSync(root), ["outbox"])
      assert.lengthOf(names(), ids.length)
    }))
})

describe("sending to a folder that is not writable", () => {
  it.effect("fails and reports the cause", () =>
    Effect.gen(function*() {
      const file = join(root, "file")
      writeFileSync(file, "")
      const failure = yield* Effect.flip(send(mail, file))
      assert.instanceOf(failure, MailFailed)
      assert.match(failure.message, /^The outbox folder .*file is not writable \(ENOTDIR: not a directory, .*\)\.$/)
    }))

  it.effect("leaves no partial email behind", () =>
    Effect.gen(function*() {
      // Create a folder with the name of the message's file, because a file cannot replace a folder.
      yield* send(mail)
      const [first = ""] = names()
      rmSync(join(root, "outbox", first))
      mkdirSync(join(root, "outbox", first))
      const failure = yield* Effect.flip(send(mail))
      assert.include(failure.message, "rename")
      assert.deepEqual(names(), [first])
    }))
})

test("an email file contains no injected header or address", async () => {
  const hostile = FastCheck.oneof(
    FastCheck.constantFrom(
      "Ada\r\nBcc: everyone@example.com",
      "Ada\nX-Evil: 1",
      "\"Ada\" <eve@example.com>, other",
      "=?utf-8?Q?=0D=0ABcc=3A?= eve@example.com",
      "ひつじ".repeat(60),
      "\u202Egnp.exe"
    ),
    FastCheck.string({ unit: "binary", maxLength: 120 }),
    FastCheck.string({ unit: FastCheck.constantFrom("\r", "\n", ":", "<", ">", "\"", ",", ";", "@", " ", "a", "é") })
  )
  const knownHeaders = [
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
    "x-auto-response-suppress"
  ]
  await FastCheck.assert(
    FastCheck.asyncProperty(hostile, hostile, hostile, async (outfitter, guest, subject) => {
      await Effect.runPromise(send({ ...mail, from: { name: outfitter }, to: { ...mail.to, name: guest }, subject }))
      const email = await PostalMime.parse(bytes())
      const keys = email.headers.map(({ key }) => key)
      // An email without a subject has no subject header.
      assert.deepEqual(keys.sort(), knownHeaders.filter((key) => key !== "subject" || keys.includes(key)))
      assert.strictEqual(email.from?.address, "bookings@trailbook.example")
      assert.deepEqual(email.to?.map(({ address }) => address), ["ada@example.com"])
    }),
    { numRuns: 100 }
  )
})
