/** A mailer that listed the folder would get slower with each file, so this test makes listing fail. */
import { it } from "@effect/vitest"
import { type Mail, Mailer } from "@trailbook/core/mail"
import * as OutboxFolder from "@trailbook/mail/OutboxFolder"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import files from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach } from "vitest"

const before = { ...files }
const refuseListing = () => Promise.reject(new Error("A folder was listed."))

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "trailbook-outbox-"))
  Object.assign(files, { readdir: refuseListing, opendir: refuseListing, glob: refuseListing })
  syncBuiltinESMExports()
})
afterEach(() => {
  Object.assign(files, before)
  syncBuiltinESMExports()
  rmSync(root, { recursive: true, force: true })
})

it.effect("the mailer writes an email file without reading other files", () =>
  Effect.gen(function*() {
    const directory = join(root, "a", "outbox")
    const { send } = yield* Mailer.pipe(
      Effect.provide(OutboxFolder.layer({ directory, from: "bookings@trailbook.example" }))
    )
    const mail = (text: string): Mail => ({
      id: "0197a1b2-0000-7000-8000-000000000001",
      from: { name: "Pine River Outfitters" },
      to: { name: "Ada Lovelace", email: "ada@example.com" },
      replyTo: null,
      subject: text,
      text,
      html: text,
      calendar: { method: "PUBLISH", ics: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" },
      thread: null,
      automatic: "generated",
      attachments: [],
      bounceToken: null
    })
    yield* send(mail("First"))
    yield* send(mail("Again"))
    assert.isTrue(existsSync(directory))
    const [file, ...others] = readdirSync(directory)
    assert.deepEqual(others, [])
    assert.include(readFileSync(join(directory, file ?? ""), "utf8"), "Subject: Again")
    // The mailer still works after the folder has been deleted.
    rmSync(directory, { recursive: true })
    yield* send(mail("First"))
    assert.deepEqual(readdirSync(directory), [file])
  }))
