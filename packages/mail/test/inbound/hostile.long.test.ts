import { MailParserPool, makeMailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import type { ParseResult } from "@trailbook/mail/inbound/parse/ParsedMail"
import { parseMail, type ParseRequest } from "@trailbook/mail/inbound/parse/parseMail"
import * as Effect from "effect/Effect"
import { setImmediate as turn } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { runs, seed } from "../../../../test/runs.ts"
import { threadTimeMs } from "../../../../test/threadTime.ts"
import * as FakeIntake from "./FakeIntake.ts"
import { dice, endlessOnes, makeHostileMail } from "./hostile.ts"

const request = (raw: Uint8Array, to: ParseRequest["to"] = FakeIntake.conversation): ParseRequest => ({
  raw,
  envelope: { from: "ada@example.com", to: [FakeIntake.address] },
  to,
  replyDomain: FakeIntake.replyDomain,
  verdict: "none"
})

/**
 * Asserts that the result can be stored and displayed. Its texts are bounded in length, valid Unicode, and free of
 * control characters.
 */
const isSound = (result: ParseResult): void => {
  if (result._tag !== "Message") return
  const { body, quotedText, files, from, mailKey, messageId, subject } = result.mail
  assert.isAtMost(body.length + quotedText.length, 66_000)
  assert.isAtMost(Array.from(subject).length, 200)
  assert.isAtMost(files.length, 20)
  assert.strictEqual(from.email, "ada@example.com")
  assert.match(mailKey, /^[0-9a-f]{64}$/)
  assert.isTrue(messageId === null || messageId.length <= 502)
  for (const text of [body, quotedText, subject, from.name, ...files.map(({ name }) => name)]) {
    assert.isTrue(text.isWellFormed())
    assert.notMatch(text, /[^\P{Cc}\n]/u)
  }
}

test("the mail parser returns a storable result for every adversarial email", async () => {
  const roll = dice(seed)
  const cases = runs(10_000, 100, 1000)
  const kinds = new Map<string, number>()
  for (let n = 0; n < cases; n++) {
    // Parsing is synchronous. Without this yield, the process would be unresponsive for the whole run.
    if (n % 100 === 0) await turn()
    const result = await parseMail(
      request(makeHostileMail(roll, 20_000), roll(20) === 0 ? "reports" : FakeIntake.conversation)
    )
    isSound(result)
    kinds.set(result._tag, (kinds.get(result._tag) ?? 0) + 1)
  }
  // If only a few emails were readable, this test would prove little.
  assert.isAbove(kinds.get("Message") ?? 0, 0.4 * cases)
}, 600_000)

describe("the mail parser thread", () => {
  const withThreads = <A>(
    use: (read: (request: ParseRequest) => Promise<ParseResult>) => Promise<A>,
    withinMs?: number
  ) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          makeMailParserPool(withinMs === undefined ? {} : { withinMs }),
          ({ read }) =>
            Effect.promise(() =>
              use(async (request) => {
                const [result] = await Effect.runPromise(read({ ...request, to: [request.to] }))
                if (result === undefined) throw new Error("The parser returned no result.")
                return result
              })
            )
        )
      )
    )

  test("blocks the main thread for less than 200 ms", () =>
    withThreads(async (read) => {
      await read(request(Buffer.from("From: ada@example.com\r\n\r\nHi")))
      const costOf = async (raw: Buffer): Promise<number> => {
        const before = threadTimeMs()
        const result = await read(request(raw))
        const cost = threadTimeMs() - before
        isSound(result)
        return cost
      }
      for (const raw of endlessOnes(runs(1024, 24, 128) * 1024)) {
        let cost = await costOf(raw)
        // Garbage collection can slow down a single attempt. An email that really blocks the main thread blocks it in
        // every attempt.
        for (let retries = 0; cost >= 200 && retries < 4; retries++) cost = await costOf(raw)
        assert.isBelow(cost, 200, raw.subarray(0, 120).toString())
      }
    }), 600_000)

  test("stores a placeholder if parsing takes too long", () =>
    withThreads(async (read) => {
      const slow = await read(request(Buffer.concat([
        Buffer.from("From: ada@example.com\r\nSubject: Large\r\n\r\n"),
        Buffer.alloc(25 * 1024 * 1024, "a b\r\n")
      ])))
      assert.deepInclude(slow._tag === "Message" ? slow.mail : undefined, { subject: "Large" })
      assert.include(slow._tag === "Message" ? slow.mail.body : "", "cannot be shown")
    }, 1))

  test("returns every byte of the attached files", () =>
    withThreads(async (read) => {
      const photo = Buffer.alloc(300_000, "photo")
      const result = await read(request(Buffer.from([
        "From: ada@example.com",
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "",
        "Here we are",
        "--b",
        "Content-Type: image/jpeg; name=\"a.jpg\"",
        "Content-Transfer-Encoding: base64",
        "",
        photo.toString("base64"),
        "--b--"
      ].join("\r\n"))))
      assert.strictEqual(result._tag, "Message")
      if (result._tag !== "Message") return
      assert.strictEqual(result.mail.body, "Here we are")
      assert.deepEqual(result.mail.files.map(({ name, type }) => [name, type]), [["a.jpg", "image/jpeg"]])
      assert.isTrue(photo.equals(result.mail.files[0]?.bytes ?? new Uint8Array()))
    }))

  test("fails the request if it cannot start", async () => {
    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.flatMap(
          makeMailParserPool({ module: "@trailbook/mail/nowhere" }),
          ({ read }) =>
            read({ ...request(Buffer.from("From: ada@example.com\r\n\r\nHi")), to: [FakeIntake.conversation] })
        )
      )
    )
    assert.strictEqual(exit._tag, "Failure")
  })
})

test("the mail parser can parse a 25 MB email", async () => {
  const raw = Buffer.concat([
    Buffer.from("From: ada@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHere\r\n--b\r\n"),
    Buffer.from("Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n"),
    Buffer.from(`${Buffer.alloc(57).toString("base64")}\r\n`.repeat(330_000)),
    Buffer.from("--b--\r\n")
  ])
  const [result] = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(MailParserPool, ({ read }) => read({ ...request(raw), to: [FakeIntake.conversation] })),
      MailParserPool.layer
    )
  )
  assert.strictEqual(result?._tag === "Message" ? result.mail.files[0]?.bytes.length : 0, 57 * 330_000)
})
