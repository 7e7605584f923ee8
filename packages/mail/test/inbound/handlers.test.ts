import { InboundMail } from "@trailbook/mail/inbound/InboundMail"
import * as Room from "@trailbook/mail/inbound/MemoryBudget"
import { MailParserPool } from "@trailbook/mail/inbound/parse/MailParserPool"
import * as ProviderWebhook from "@trailbook/mail/inbound/ProviderWebhook"
import { listen } from "@trailbook/mail/inbound/SmtpListener"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import { afterEach, assert, beforeEach, describe, test } from "vitest"
import * as FakeIntake from "./FakeIntake.ts"
import { type Envelope, mailgun, postmark, sendgrid } from "./providers.ts"

const raw = readFileSync(join(FakeIntake.replies, "gmail-web.en.eml"))
const body = readFileSync(join(FakeIntake.replies, "gmail-web.en.txt"), "utf8").trimEnd()
const secret = "a-secret-of-at-least-thirty-two-characters"

let intake = FakeIntake.make()
let scope = Effect.runSync(Scope.make())
beforeEach(() => {
  intake = FakeIntake.make()
  scope = Effect.runSync(Scope.make())
})
afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const inbound = () =>
  InboundMail.layer({ replyDomain: FakeIntake.replyDomain }).pipe(
    Layer.provide([intake.layer, MailParserPool.layerInline])
  )

describe.each(["smtp", "lmtp"] as const)("the %s listener", (protocol) => {
  const begin = (room = Room.make(200_000_000)) =>
    Effect.runPromise(
      Scope.extend(
        Effect.provide(
          listen({ protocol, host: "127.0.0.1", port: 0, name: FakeIntake.replyDomain, budget: room }),
          inbound()
        ),
        scope
      )
    )

  const send = async (port: number, to: ReadonlyArray<string>, message: Buffer = raw, from = "ada@example.com") => {
    const transport = createTransport({ host: "127.0.0.1", port, lmtp: protocol === "lmtp", ignoreTLS: true })
    try {
      return await transport.sendMail({ envelope: { from, to: [...to] }, raw: message })
    } finally {
      transport.close()
    }
  }

  // After the email, an LMTP server sends one response per address, and the client library reports the rejected
  // addresses.
  const refusal = (delivery: ReturnType<typeof send>): Promise<number | undefined> =>
    delivery.then(
      ({ rejectedErrors }) => rejectedErrors?.[0]?.responseCode,
      (error: { readonly responseCode?: number }) => error.responseCode
    )

  test("reports success only after an email is stored", async () => {
    const { port } = await begin()
    await send(port, [FakeIntake.address])
    assert.deepEqual(intake.taken.map(({ body }) => body), [body])
  })

  test("refuses an unknown address before the email is sent", async () => {
    const { port } = await begin()
    for (
      const to of [
        "jo@elsewhere.example",
        `reply+${"x".repeat(26)}@${FakeIntake.replyDomain}`,
        `jo@${FakeIntake.replyDomain}`
      ]
    ) {
      assert.strictEqual(await refusal(send(port, [to])), 550)
    }
    assert.deepEqual(intake.taken, [])
  })

  test("defers an email while the database is down", async () => {
    const { port } = await begin()
    intake.broken = true
    assert.strictEqual(await refusal(send(port, [FakeIntake.address])), 451)
    intake.broken = false
    await send(port, [FakeIntake.address])
    assert.lengthOf(intake.taken, 1)
  })

  test("defers an email under high load", async () => {
    const { port } = await begin(Room.make(1000))
    assert.strictEqual(await refusal(send(port, [FakeIntake.address])), 452)
    assert.deepEqual(intake.taken, [])
  })

  test("reports success for an email that it drops", async () => {
    const { port } = await begin()
    await send(port, [FakeIntake.address], Buffer.from("From: eve@example.com\r\n\r\nHi"))
    assert.deepEqual([intake.taken, intake.drops], [[], ["stranger"]])
  })

  test("refuses emails larger than 26 MiB, and counts them", async () => {
    const { port } = await begin()
    // The server rejects an email immediately if its announced size is too large. Otherwise, it rejects the email at
    // the end of the transfer.
    assert.strictEqual(
      await refusal(
        send(port, [FakeIntake.address], Buffer.concat([raw, Buffer.alloc(27_500_000, `${"a".repeat(70)}\r\n`)]))
      ),
      552
    )
    assert.deepEqual(intake.taken, [])
  })

  test("frees the capacity of a sender that disconnects", async () => {
    const room = Room.make(raw.length + 2000)
    const { port } = await begin(room)
    for (let n = 0; n < 3; n++) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1")
        const hello = protocol === "lmtp" ? "LHLO" : "EHLO"
        let output = ""
        socket.on("data", (chunk) => {
          output += chunk.toString()
          if (!output.includes("354")) return
          socket.write(raw.subarray(0, raw.length / 2), () => setTimeout(() => socket.destroy(), 20))
        })
        socket.on("close", () => resolve())
        const commands = `${hello} test\r\nMAIL FROM:<ada@example.com>\r\nRCPT TO:<${FakeIntake.address}>\r\nDATA\r\n`
        socket.once("data", () => socket.write(commands))
      })
    }
    await send(port, [FakeIntake.address])
    assert.lengthOf(intake.taken, 1)
  })

  test("offers no login, and STARTTLS only with a certificate", async () => {
    const { port } = await begin()
    const output = await new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1")
      let all = ""
      socket.once("data", () => socket.write(`${protocol === "lmtp" ? "LHLO" : "EHLO"} t\r\nQUIT\r\n`))
      socket.on("data", (chunk) => void (all += chunk.toString()))
      socket.on("close", () => resolve(all))
    })
    assert.include(output, "SIZE 27262976")
    assert.notMatch(output, /STARTTLS|AUTH/)
  })
})

describe("the mail provider route", () => {
  const handlerWith = (room = Room.make(200_000_000)) =>
    Effect.runPromise(Effect.provide(ProviderWebhook.makeProviderWebhook({ secret, budget: room }), inbound()))

  const post = async (init: RequestInit, path = `/mail/in/${secret}`, room?: Room.MemoryBudget) => {
    const response = await (await handlerWith(room))(
      new Request(`http://localhost${path}`, { method: "POST", ...init })
    )
    assert.exists(response)
    return { status: response?.status ?? 0, body: await response?.json() }
  }

  const mime = { headers: { "content-type": "message/rfc822" }, body: raw }

  test("accepts an email as the request body", async () => {
    assert.deepEqual(await post(mime), { status: 200, body: { outcome: "taken" } })
    assert.deepEqual(intake.taken.map(({ body }) => body), [body])
  })

  test("accepts an email in a provider's form fields", async () => {
    const latin = Buffer.concat([
      Buffer.from(
        `From: ada@example.com\r\nTo: ${FakeIntake.address}\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr`
      ),
      Buffer.from([0xFC, 0xDF]),
      Buffer.from("e + 100 %41")
    ])
    const form = new FormData()
    form.append("headers", "x")
    form.append("email", new Blob([latin]))
    form.append("envelope", JSON.stringify({ to: [FakeIntake.address], from: "ada@example.com" }))
    assert.deepEqual(await post({ body: form }), { status: 200, body: { outcome: "taken" } })
    const mailgun = Buffer.from(
      `recipient=${encodeURIComponent(FakeIntake.address)}&sender=ada%40example.com&body-mime=${
        // Each email needs its own Message-ID, because otherwise it would count as a duplicate.
        Array.from(
          Buffer.concat([Buffer.from("Message-ID: <m@x>\r\n"), latin]),
          (byte) => `%${byte.toString(16).padStart(2, "0")}`
        ).join("")}`
    )
    const request = { headers: { "content-type": "application/x-www-form-urlencoded" }, body: mailgun }
    assert.deepEqual(await post(request), { status: 200, body: { outcome: "taken" } })
    const postmark = {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ OriginalRecipient: FakeIntake.address, RawEmail: raw.toString() })
    }
    assert.deepEqual(await post(postmark), { status: 200, body: { outcome: "taken" } })
    assert.deepEqual(intake.taken.map(({ body }) => body), ["Grüße + 100 %41", "Grüße + 100 %41", body])
  })

  test.each([
    ["SendGrid", sendgrid],
    ["Mailgun", mailgun],
    ["Mailgun, in parts", (raw: Buffer, envelope: Envelope) => mailgun(raw, envelope, "parts")],
    ["Postmark", postmark]
  ])("ignores all fields of %s except the email and its envelope", async (_, posted) => {
    const envelope = { from: "ada@example.com", to: FakeIntake.address }
    const { body: form, contentType } = posted(raw, envelope)
    const answer = await post({ headers: { "content-type": contentType }, body: new Uint8Array(form) })
    assert.deepEqual(answer, { status: 200, body: { outcome: "taken" } })
    const [mail] = intake.taken
    assert.deepEqual([mail?.body, mail?.from.email], [body, "ada@example.com"])

    // The provider's own fields must not turn a stranger into the guest, or a machine's notification into a message.
    const stranger = Buffer.from(`From: eve@evil.example\r\nTo: ${FakeIntake.address}\r\n\r\nHi`)
    const notice = Buffer.from(raw.toString("latin1").replace(/^/, "Auto-Submitted: auto-replied\r\n"), "latin1")
    for (const other of [stranger, notice]) {
      const { body: form } = posted(other, envelope)
      const answer = await post({ headers: { "content-type": contentType }, body: new Uint8Array(form) })
      assert.deepEqual(answer, { status: 200, body: { outcome: "dropped" } })
    }
    assert.deepEqual(intake.drops, ["stranger", "automatic"])
    assert.lengthOf(intake.taken, 1)
  })

  test("returns \"refused\" for a staff reply from an unknown sender", async () => {
    const answer = `From: eve@evil.example\r\nTo: ${FakeIntake.teamAddress}\r\n\r\nHi`
    assert.deepEqual(await post({ ...mime, body: answer }), { status: 200, body: { outcome: "refused" } })
    assert.deepEqual([intake.answers, intake.drops], [[], ["stranger"]])
  })

  test("returns 404 if the secret is missing or wrong", async () => {
    for (const path of ["/mail/in/", "/mail/in/x", `/mail/in/${secret}x`, `/mail/in/${secret}/`]) {
      assert.strictEqual((await post(mime, path)).status, 404, path)
    }
    assert.deepEqual(intake.taken, [])
    assert.isUndefined((await handlerWith())(new Request("http://localhost/v1/bookings")))
  })

  test("rejects a request that contains no valid email", async () => {
    for (
      const init of [
        { headers: { "content-type": "application/json" }, body: "{}" },
        { headers: { "content-type": "application/json" }, body: "{" },
        { headers: { "content-type": "multipart/form-data; boundary=x" }, body: "--x\r\nnothing" },
        { headers: { "content-type": "message/rfc822" } },
        { body: new FormData() }
      ]
    ) assert.strictEqual((await post(init)).status, 400)
    assert.strictEqual((await post({ method: "GET" })).status, 405)
  })

  test("requests a retry during a database outage or high load", async () => {
    intake.broken = true
    assert.strictEqual((await post(mime)).status, 503)
    intake.broken = false
    assert.strictEqual((await post(mime, undefined, Room.make(1000))).status, 503)
    assert.deepEqual(intake.taken, [])
  })

  test("refuses emails larger than 26 MiB, and counts them", async () => {
    const large = { ...mime, body: Buffer.concat([raw, Buffer.alloc(27_500_000, `${"a".repeat(70)}\r\n`)]) }
    assert.strictEqual((await post(large)).status, 413)
    assert.deepEqual(intake.drops, ["too_large"])
  })

  test("returns the same response for dropped and accepted mail", async () => {
    const stranger = { ...mime, body: `From: eve@example.com\r\nTo: ${FakeIntake.address}\r\n\r\nHi` }
    assert.deepEqual(await post(stranger), { status: 200, body: { outcome: "dropped" } })
    assert.deepEqual(await post({ ...mime, body: "From: a@b\r\nTo: c@d\r\n\r\nHi" }), {
      status: 200,
      body: { outcome: "dropped" }
    })
    assert.deepEqual(intake.drops, ["stranger", "unknown_address"])
  })
})
