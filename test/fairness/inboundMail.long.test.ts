/**
 * Tests the limits that keep hostile text from delaying other guests. The text is a stranger's email, or a reply that a
 * guest tricked a language model into writing. Counts processor time instead of elapsed time, because other programs
 * share the machine.
 */
import { sanitizeDraft } from "@trailbook/core/conversation/draft/sanitizeDraft"
import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import { stripQuotedText } from "@trailbook/mail/inbound/parse/stripQuotedText"
import { parseProviderPayload } from "@trailbook/mail/inbound/parseProviderPayload"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as FakeIntake from "../../packages/mail/test/inbound/FakeIntake.ts"

/** Milliseconds of processor time. Before the limits existed, the attacks took 780 to 26,000 ms each. */
const ceilingMs = 250

const cost = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/**
 * Returns the lowest of up to three measurements, because the runtime may compile code or collect garbage during a
 * measurement. Stops at the first measurement below `enoughMs`.
 */
const lowestCost = async (work: () => unknown, enoughMs = 0): Promise<number> => {
  let lowest = Infinity
  for (let attempt = 0; attempt < 3 && lowest >= enoughMs; attempt++) lowest = Math.min(lowest, await cost(work))
  return lowest
}

/** Asserts that one of three measurements is below the limit. */
const assertCostBelow = async (limitMs: number, work: () => unknown): Promise<void> =>
  assert.isBelow(await lowestCost(work, limitMs), limitMs)

const megabyte = 1024 * 1024
const from = "From: Ada <ada@example.com>\r\n"

const emptyLines = (bytes: number): Buffer => Buffer.concat([Buffer.from(`${from}\r\n`), Buffer.alloc(bytes, "\r\n")])

const withReader = (reader: Layer.Layer<MailParserPool>) => {
  const intake = FakeIntake.make()
  const inbound = InboundMail.layer({ replyDomain: FakeIntake.replyDomain }).pipe(Layer.provide([intake.layer, reader]))
  const receive = (raw: Buffer, to: ReadonlyArray<string>) =>
    Effect.runPromise(
      Effect.provide(
        Effect.flatMap(InboundMail, (mail) => mail.receive(raw, { from: "ada@example.com", to }, "none")),
        inbound
      )
    )
  return { intake, receive }
}

describe("an email of empty lines", () => {
  it("is dropped unparsed if the bounce address receives 24 MB", async () => {
    const { intake, receive } = withReader(MailParserPool.layerInline)
    const raw = emptyLines(24 * megabyte)
    await assertCostBelow(ceilingMs, () => receive(raw, [FakeIntake.bounceAddress]))
    assert.deepEqual([...new Set(intake.drops)], ["too_large"])
  })

  it("becomes a placeholder message if a conversation receives 24 MB", async () => {
    const { intake, receive } = withReader(MailParserPool.layerInline)
    // The scan stops at the first line over the limit.
    await assertCostBelow(4 * ceilingMs, () => receive(emptyLines(24 * megabyte), [FakeIntake.address]))
    assert.include(intake.taken[0]?.body, "cannot be shown")
  })

  it("is dropped as unreadable if the bounce address receives 1 MB", async () => {
    const { intake, receive } = withReader(MailParserPool.layerInline)
    const raw = emptyLines(megabyte - 100)
    await assertCostBelow(ceilingMs, () => receive(raw, [FakeIntake.bounceAddress]))
    assert.deepEqual([...new Set(intake.drops)], ["unreadable"])
  })
})

it("an email with more than 100,000 long lines becomes a placeholder message", async () => {
  const { intake, receive } = withReader(MailParserPool.layerInline)
  const lines = [`${"x ".repeat(37)}\r\n`, `${"A".repeat(75)}=\r\n`, `${"A".repeat(80)}\r\n-\r\n`]
  for (const line of lines) {
    const raw = Buffer.from(`${from}\r\n${line.repeat(Math.floor(25 * megabyte / line.length))}`)
    await assertCostBelow(2 * ceilingMs, () => receive(raw, [FakeIntake.address]))
    assert.include(intake.taken.at(-1)?.body, "cannot be shown")
  }
})

it("an email with 9 MB of photos in 340,000 lines is parsed without losses", async () => {
  const { intake, receive } = withReader(MailParserPool.layerInline)
  const photo = Buffer.from(Uint8Array.from({ length: 9 * megabyte }, (_, at) => at * 7919 % 251))
  const encoded = photo.toString("base64").replace(/.{76}/g, "$&\r\n")
  const head = "--b\r\nContent-Type: image/jpeg\r\nContent-Disposition: attachment; filename=a.jpg\r\n"
  const file = `${head}Content-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n`
  const raw = Buffer.from(
    `${from}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nOur photos\r\n${file.repeat(2)}--b--\r\n`
  )
  await assertCostBelow(8 * ceilingMs, () => receive(raw, [FakeIntake.address]))
  assert.strictEqual(intake.taken[0]?.body, "Our photos")
  assert.deepEqual(intake.taken[0]?.files.map(({ bytes }) => photo.equals(bytes)), [true, true])
})

it("an email with 1,001 parts becomes a placeholder message", async () => {
  const { intake, receive } = withReader(MailParserPool.layerInline)
  const parts = (count: number): Buffer =>
    Buffer.from(`${from}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nHi\r\n".repeat(count)}--b--\r\n`)
  await receive(parts(1001), [FakeIntake.address])
  await receive(parts(900), [FakeIntake.address])
  assert.include(intake.taken[0]?.body, "cannot be shown")
  assert.include(intake.taken[1]?.body, "Hi")
})

it("an email to 22 addresses uses less CPU time than three single-recipient emails", async () => {
  let requests = 0
  const counting = Layer.effect(
    MailParserPool,
    Effect.map(MailParserPool, (reader) =>
      MailParserPool.of({
        ...reader,
        read: (request) => {
          requests++
          return reader.read(request)
        }
      }))
  )
  const { intake, receive } = withReader(Layer.provide(counting, MailParserPool.layerInline))
  const raw = Buffer.from(`${from}\r\n${"See you on Saturday.\r\n".repeat(8000)}`)
  const toOne = await lowestCost(() => receive(raw, [FakeIntake.address]))
  const others = Array.from({ length: 19 }, () => FakeIntake.address.replace("reply", "Reply"))
  requests = 0
  const toMany = await lowestCost(() =>
    receive(raw, [FakeIntake.address, FakeIntake.bounceAddress, FakeIntake.teamAddress, ...others])
  )
  assert.strictEqual(requests, 3)
  assert.isBelow(toMany, 3 * toOne)
  assert.lengthOf(intake.taken, 1)
})

it("four slow emails from one network leave a parser thread free", async () => {
  const order: Array<string> = []
  await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(MailParserPool, ({ read }) => {
        const mail = (ip: string, raw: Buffer) =>
          Effect.tap(
            read({
              raw,
              envelope: { from: "ada@example.com", to: [FakeIntake.address], client: { ip, helo: "mx" } },
              to: [FakeIntake.conversation],
              replyDomain: FakeIntake.replyDomain,
              verdict: "none"
            }),
            () => order.push(ip)
          )
        const slow = emptyLines(60_000)
        const flood = Array.from({ length: 4 }, (_, at) => mail(`2001:db8::${at}`, slow))
        return Effect.all([...flood, mail("192.0.2.1", Buffer.from(`${from}\r\nHi`))], {
          concurrency: "unbounded",
          discard: true
        })
      }),
      MailParserPool.layer
    )
  )
  assert.include(order.slice(0, 2), "192.0.2.1")
})

it("a provider's email with 254 kB of long header words is parsed within 50 ms", async () => {
  const headers = `To: ${"a".repeat(4000)}\r\n`.repeat(63)
  const posted = {
    contentType: "message/rfc822",
    body: Buffer.from(`${from}${headers}\r\nHi`),
    query: "",
    replyDomain: FakeIntake.replyDomain
  }
  await assertCostBelow(ceilingMs / 5, () => parseProviderPayload(posted))
})

it("only the first 100 recipients of a provider's email are considered", () => {
  const mail = (before: number) => ({
    contentType: "message/rfc822",
    body: Buffer.from(`${from}To: ${"a@b.example, ".repeat(before)}${FakeIntake.address}\r\n\r\nHi`),
    query: "",
    replyDomain: FakeIntake.replyDomain
  })
  assert.deepEqual(parseProviderPayload(mail(99))?.envelope.to, [FakeIntake.address])
  assert.deepEqual(parseProviderPayload(mail(100))?.envelope.to, [])
})

it("a language model's response with 50,000 dots is cleaned up within 50 ms", async () => {
  await assertCostBelow(ceilingMs / 5, () => sanitizeDraft(`a${".".repeat(49_000)}b`, []))
  await assertCostBelow(ceilingMs / 5, () => sanitizeDraft(".".repeat(50_000), []))
})

it("quoted text removal takes less than 250 ms for 60 kB of dashes", async () => {
  const text = `On Jun 6, 2027 ${FakeIntake.conversation.orgName} ${"-".repeat(60_000)}x\n> quoted`
  await assertCostBelow(ceilingMs, () => stripQuotedText(text, FakeIntake.conversation))
})
