import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, describe, test } from "vitest"
import * as FakeIntake from "./FakeIntake.ts"

const reported = async (lines: ReadonlyArray<string>, to = FakeIntake.bounceAddress) => {
  const intake = FakeIntake.make()
  const inbound = InboundMail.layer({ replyDomain: FakeIntake.replyDomain }).pipe(
    Layer.provide([intake.layer, MailParserPool.layerInline])
  )
  await Effect.runPromise(
    Effect.flatMap(InboundMail, ({ receive }) => receive(Buffer.from(lines.join("\r\n")), { from: "", to: [to] })).pipe(
      Effect.provide(inbound)
    )
  )
  return intake
}

const report = (type: string, part: string, fields: ReadonlyArray<string>) => [
  "From: MAILER-DAEMON@mx.example.net",
  "To: bounce",
  "Subject: Undelivered Mail Returned to Sender",
  "Auto-Submitted: auto-replied",
  "MIME-Version: 1.0",
  `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "Your mail could not be delivered to ada@example.com.",
  "--b",
  `Content-Type: ${part}`,
  "",
  ...fields,
  "--b",
  "Content-Type: message/rfc822",
  "",
  "From: Pine River <bookings@pine.example>",
  "Subject: Your float",
  "",
  "Hi Ada",
  "--b--"
]

const delivery = (fields: ReadonlyArray<string>) =>
  report("delivery-status", "message/delivery-status", ["Reporting-MTA: dns; mx.example.net", "", ...fields, ""])

describe("a delivery report", () => {
  test.each([
    ["postfix", [
      "Final-Recipient: rfc822; ada@example.com",
      "Original-Recipient: rfc822;ada@example.com",
      "Action: failed",
      "Status: 5.1.1",
      "Remote-MTA: dns; mx.example.com",
      "Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected:",
      "    User unknown in local recipient table"
    ], "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table"],
    ["exim", ["Action: failed", "Final-Recipient: rfc822;ada@example.com", "Status: 5.0.0"], "5.0.0"],
    ["exchange", [
      "Final-recipient: RFC822; ada@example.com",
      "action: FAILED (bad address)",
      "status: 5.1.10",
      "diagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound"
    ], "550 5.1.10 RESOLVER.ADR.RecipientNotFound"]
  ])("in the format of %s, marks its email as failed", async (_, fields, failure) => {
    const intake = await reported(delivery(fields))
    assert.deepEqual(intake.reports, [{ bounceToken: FakeIntake.bounceToken, outcome: "failed", failure }])
    assert.deepEqual(intake.taken, [])
  })

  test.each(["delivered", "relayed", "expanded"])(
    "marks its email as delivered if the action is \"%s\"",
    async (action) => {
      const intake = await reported(
        delivery(["Final-Recipient: rfc822;ada@example.com", `Action: ${action}`, "Status: 2.0.0"])
      )
      assert.deepEqual(intake.reports, [{ bounceToken: FakeIntake.bounceToken, outcome: "delivered", failure: null }])
    }
  )

  test("is ignored if it reports only a delay", async () => {
    const intake = await reported(
      delivery(["Final-Recipient: rfc822;ada@example.com", "Action: delayed", "Status: 4.4.1"])
    )
    assert.deepEqual([intake.reports, intake.drops], [[], ["automatic"]])
  })

  test("yields a one-line failure reason of at most 200 characters", async () => {
    const diagnostic = `Diagnostic-Code: smtp; 550 ${"no\t".repeat(500)}\u202Eevil`
    const intake = await reported(delivery(["Action: failed", diagnostic]))
    const failure = intake.reports[0]?.failure ?? ""
    assert.isAtMost(failure.length, 200)
    assert.notMatch(failure, /[\p{Cc}\u202E]/u)
  })
})

describe("a complaint", () => {
  const complaint = (kind: string) =>
    report("feedback-report", "message/feedback-report", [`Feedback-Type: ${kind}`, "User-Agent: SomeProvider/1", ""])

  test("marks its email as spam if its type is \"abuse\"", async () => {
    const intake = await reported(complaint("abuse"))
    assert.deepEqual(intake.reports, [{ bounceToken: FakeIntake.bounceToken, outcome: "complained", failure: null }])
  })

  test.each(["not-spam", "auth-failure", "dmarc"])("is ignored if its type is \"%s\"", async (kind) => {
    assert.deepEqual((await reported(complaint(kind))).reports, [])
  })
})

test("a vacation reply sent to the report address is ignored", async () => {
  const intake = await reported([
    "From: ada@example.com",
    "Subject: Out of office",
    "Auto-Submitted: auto-replied",
    "",
    "Back on Monday"
  ])
  assert.deepEqual([intake.reports, intake.taken, intake.drops], [[], [], ["automatic"]])
})

test("a delivery report to a conversation's address is dropped", async () => {
  const intake = await reported(delivery(["Action: failed", "Status: 5.1.1"]), FakeIntake.address)
  assert.deepEqual([intake.reports, intake.taken, intake.drops], [[], [], ["automatic"]])
})
