import type { KnownText } from "@trailbook/mail/inbound/parse/knownText"
import { parseMail } from "@trailbook/mail/inbound/parse/parseMail"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, test } from "vitest"

const folder = join(import.meta.dirname, "replies")
const thread: KnownText = JSON.parse(readFileSync(join(folder, "thread.json"), "utf8"))
const names = readdirSync(folder).filter((name) => name.endsWith(".eml")).map((name) => name.slice(0, -4))

describe("a reply", () => {
  test.each(names)("in the format of %s, is reduced to its author's text", async (name) => {
    const result = await parseMail({
      raw: readFileSync(join(folder, `${name}.eml`)),
      envelope: { from: "ada@example.com", to: [] },
      to: { ...thread, senderEmail: "ada@example.com", strict: false },
      replyDomain: "in.trailbook.example",
      verdict: "none"
    })
    assert.strictEqual(result._tag, "Message")
    if (result._tag !== "Message") return
    assert.strictEqual(`${result.mail.body}\n`, readFileSync(join(folder, `${name}.txt`), "utf8"))
  })
})
