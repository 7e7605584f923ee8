import { type Mail, Mailer } from "@trailbook/core/mail"
import * as Instant from "@trailbook/core/time/Instant"
import { buildMimeMessage } from "@trailbook/mail/mimeMessage"
import * as Smtp from "@trailbook/mail/Smtp"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { dkimVerify } from "mailauth"
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:net"
import PostalMime from "postal-mime"
import type { SMTPServerOptions } from "smtp-server"
import { afterEach, assert, describe, test } from "vitest"
import { makeRefusal, type Postmaster, postmaster } from "./Postmaster.ts"

const replyDomain = "reply.pine.example"
const from = "bookings@pine.example"
const bounceToken = "k7m2q9x4t5w8z3b6n1r0s2v4c8"

const mail: Mail = {
  id: "0197a1b2-0000-7000-8000-000000000001",
  from: { name: "Pine River Outfitters" },
  to: { name: "Ada Lovelace", email: "ada@example.com" },
  replyTo: { name: "Pine River Outfitters", email: `reply+abcdefghijklmnopqrstuvwxyz@${replyDomain}` },
  subject: "Your float",
  text: "Hi Ada,\n\nsee you on Saturday.\n",
  html: "<p>Hi Ada</p>",
  calendar: null,
  thread: {
    inReplyTo: "<guest-2@mail.example.com>",
    references: ["<guest-1@mail.example.com>", "<guest-2@mail.example.com>"]
  },
  automatic: "no",
  attachments: [{
    name: "Anfahrt – Süd.pdf",
    type: "application/pdf",
    content: new Uint8Array([37, 80, 68, 70, 0, 255])
  }],
  bounceToken
}

let server: Postmaster | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const begin = async (options?: SMTPServerOptions) => {
  server = await postmaster(options)
  return server
}

const settings = (port: number, login = ""): Smtp.SmtpSettings => ({
  url: Redacted.make(`smtp://${login}127.0.0.1:${port}`),
  from,
  replyDomain
})

const sendAll = (mails: ReadonlyArray<Mail>, options: Smtp.SmtpSettings) =>
  Effect.flatMap(Mailer, ({ send }) => Effect.forEach(mails, send, { concurrency: "unbounded" })).pipe(
    Effect.provide(Smtp.layer(options)),
    Effect.runPromiseExit
  )

const send = (mail: Mail, options: Smtp.SmtpSettings) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(
    Effect.provide(Smtp.layer(options)),
    Effect.either,
    Effect.runPromise
  )

const header = (email: Awaited<ReturnType<typeof PostalMime.parse>>, name: string) =>
  email.headers.filter(({ key }) => key === name).map(({ value }) => value)

describe("an email", () => {
  test("is delivered intact, with its thread headers", async () => {
    const { arrived, port } = await begin({ hideDSN: false })
    await send(mail, settings(port))
    const [one] = arrived
    const email = await PostalMime.parse(one?.raw ?? "")
    assert.deepEqual([one?.from, one?.to], [`bounce+${bounceToken}@${replyDomain}`, ["ada@example.com"]])
    assert.deepEqual(email.from, { name: "Pine River Outfitters", address: from })
    assert.deepEqual(email.replyTo, [{ name: "Pine River Outfitters", address: mail.replyTo?.email ?? "" }])
    assert.strictEqual(email.messageId, `<${mail.id}@${replyDomain}>`)
    assert.strictEqual(email.inReplyTo, "<guest-2@mail.example.com>")
    assert.strictEqual(email.references, "<guest-1@mail.example.com> <guest-2@mail.example.com>")
    assert.strictEqual(email.text?.trimEnd(), mail.text.trimEnd())
    const [file] = email.attachments
    assert.deepEqual([file?.filename, file?.mimeType], ["Anfahrt – Süd.pdf", "application/pdf"])
    assert.deepEqual(new Uint8Array(file?.content as ArrayBuffer), mail.attachments[0]?.content)
    assert.deepEqual(header(email, "auto-submitted"), [])
  })

  test("if automatic, suppresses automatic replies but not failure reports", async () => {
    const { arrived, port } = await begin()
    await send({ ...mail, automatic: "generated" }, settings(port))
    await send({ ...mail, automatic: "replied" }, settings(port))
    const emails = await Promise.all(arrived.map(({ raw }) => PostalMime.parse(raw)))
    assert.deepEqual(emails.flatMap((email) => header(email, "auto-submitted")), ["auto-generated", "auto-replied"])
    // "All", "DR", and "NDR" would also suppress the report about a failed delivery.
    for (const email of emails) assert.deepEqual(header(email, "x-auto-response-suppress"), ["OOF, AutoReply, RN, NRN"])
  })

  test("has the same message ID when it is sent again", async () => {
    const { arrived, port } = await begin()
    await send(mail, settings(port))
    await send(mail, settings(port))
    const ids = await Promise.all(arrived.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
    assert.deepEqual(ids, [`<${mail.id}@${replyDomain}>`, `<${mail.id}@${replyDomain}>`])
  })

  test("requests a delivery report only if the server offers one", async () => {
    const dsnServer = await begin({ hideDSN: false })
    assert.deepInclude(await send(mail, settings(dsnServer.port)), { right: { reportRequested: true } })
    assert.deepEqual(dsnServer.arrived[0]?.notify, ["SUCCESS", "FAILURE", "DELAY"])
    assert.deepEqual(dsnServer.arrived[0]?.dsn, { ret: "HDRS", envid: bounceToken })
    await dsnServer.close()
    const silent = await begin()
    assert.deepInclude(await send(mail, settings(silent.port)), { right: { reportRequested: false } })
  })

  test("without a reply domain, uses the configured sender as the envelope sender", async () => {
    const { arrived, port } = await begin({ hideDSN: false })
    const outcome = await send(mail, { url: Redacted.make(`smtp://127.0.0.1:${port}`), from })
    assert.deepInclude(outcome, { right: { reportRequested: false } })
    assert.strictEqual(arrived[0]?.from, from)
  })

  test("is signed so that a receiver can verify it", async () => {
    const { arrived, port } = await begin()
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "der" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" }
    })
    const dkim = { domain: "pine.example", selector: "trailbook", privateKey: Redacted.make(privateKey) }
    await send(mail, { ...settings(port), dkim })
    const { results } = await dkimVerify(arrived[0]?.raw ?? Buffer.alloc(0), {
      resolver: (name) =>
        Promise.resolve(
          name === "trailbook._domainkey.pine.example" ? [[`v=DKIM1; p=${publicKey.toString("base64")}`]] : []
        )
    })
    assert.deepEqual(results.map(({ status }) => status.result), ["pass"])
  })

  test("is sent over one of at most eight connections", async () => {
    const busy = await begin()
    const many = Array.from({ length: 60 }, (_, n) => ({ ...mail, id: `0197a1b2-0000-7000-8000-0000000001${n + 10}` }))
    assert.isTrue(Exit.isSuccess(await sendAll(many, settings(busy.port))))
    assert.lengthOf(busy.arrived, 60)
    assert.isAtMost(busy.connections, 8)
  })

  test("is never sent if it is aborted while it waits", async () => {
    const callbacks: Array<() => void> = []
    let isOpen = false
    const slow = await begin({
      onMailFrom: (_, __, done) => {
        if (isOpen) done()
        else callbacks.push(done)
      }
    })
    const program = Effect.gen(function*() {
      const { send } = yield* Mailer
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => ({ ...mail, id: `0197a1b2-0000-7000-8000-0000000001${n + 10}` })),
        (copy) => Effect.fork(send(copy))
      )
      yield* Effect.repeat(Effect.promise(() => new Promise(setImmediate)), { until: () => callbacks.length === 8 })
      yield* Fiber.interruptAll(fibers.slice(8))
      isOpen = true
      callbacks.forEach((done) => done())
      yield* Fiber.joinAll(fibers.slice(0, 8))
      yield* send(mail)
    })
    await Effect.runPromise(Effect.provide(program, Smtp.layer(settings(slow.port))))
    assert.lengthOf(slow.arrived, 9)
  })
})

describe("a failed delivery", () => {
  const failure = async (options: SMTPServerOptions, login = "") => {
    const { port } = await begin(options)
    const result = await send(mail, settings(port, login))
    assert.strictEqual(result._tag, "Left")
    return result._tag === "Left" ? result.left : undefined
  }
  const at = (name: "onRcptTo" | "onMailFrom", error: Error): SMTPServerOptions => ({
    [name]: (_: unknown, __: unknown, done: (error: Error) => void) => done(error)
  })
  const atData = (error: Error): SMTPServerOptions => ({
    onData: (stream, _, done) => {
      stream.resume()
      stream.on("end", () => done(error))
    }
  })

  test("is permanent if the server permanently refuses the address or email", async () => {
    for (const code of [550, 551, 553]) {
      const mailFailure = await failure(at("onRcptTo", makeRefusal(code, "<ada@example.com>: user unknown")))
      assert.deepInclude(mailFailure, { permanent: true, reason: "address" })
      assert.notInclude(mailFailure?.message, "ada")
      await server?.close()
    }
    assert.deepInclude(await failure(atData(makeRefusal(554, "5.7.1 spam"))), {
      permanent: true,
      reason: "refused",
      message: "The mail server rejected the message (554 5.7.1)."
    })
  })

  test("is retried if the refusal is temporary", async () => {
    assert.deepInclude(await failure(at("onRcptTo", makeRefusal(450))), { permanent: false, reason: "address" })
    await server?.close()
    assert.deepInclude(await failure(atData(makeRefusal(451))), { permanent: false, reason: "refused" })
  })

  test("is retried if the server refuses our account or sender", async () => {
    for (
      const options of [
        { onConnect: (_session, done) => done(makeRefusal(554, "no service")) } satisfies SMTPServerOptions,
        at("onMailFrom", makeRefusal(550, "sender not allowed")),
        at("onRcptTo", makeRefusal(554, "5.7.1 Relay access denied")),
        at("onRcptTo", makeRefusal(530, "Authentication required"))
      ]
    ) {
      assert.deepInclude(await failure(options), { permanent: false })
      await server?.close()
    }
    const mailFailure = await failure({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (_auth, _session, done) => done(makeRefusal(535, "bad hunter2"))
    }, "jo:hunter2@")
    assert.deepInclude(mailFailure, {
      permanent: false,
      reason: "login",
      message: "The mail server rejected the login (535)."
    })
  })

  test("is retried if the server's port is closed", async () => {
    const nobody = await begin()
    await nobody.close()
    const result = await send(mail, settings(nobody.port))
    assert.deepInclude(result._tag === "Left" ? result.left : undefined, {
      permanent: false,
      reason: "unreachable",
      message: "The mail server is unreachable: ECONNREFUSED."
    })
  })
})

test("no text can inject a header, an address, or an email", async () => {
  const hostile = FastCheck.oneof(
    FastCheck.constantFrom(
      "Ada\r\nBcc: everyone@example.com",
      "x\n\n.\r\nMAIL FROM:<eve@example.com>",
      "\"Ada\" <eve@example.com>, other",
      "=?utf-8?Q?=0D=0ABcc=3A?= eve@example.com",
      "<a@b>\r\nX-Evil: 1",
      "a\rb\u0085c\u2028d",
      "\r\n.\r\n"
    ),
    FastCheck.string({
      unit: FastCheck.constantFrom("\r", "\n", ":", "<", ">", "\"", ",", ";", "@", " ", "a", "é", ".")
    })
  )
  const calendars = new Set(["text/calendar", "application/ics"])
  const knownHeaders = new Set([
    "content-type",
    "date",
    "from",
    "in-reply-to",
    "message-id",
    "mime-version",
    "references",
    "reply-to",
    "subject",
    "to"
  ])
  await FastCheck.assert(
    FastCheck.asyncProperty(hostile, hostile, hostile, hostile, hostile, async (name, subject, id, file, words) => {
      const evil: Mail = {
        ...mail,
        from: { name },
        to: { ...mail.to, name },
        replyTo: { name, email: mail.replyTo?.email ?? "" },
        subject,
        text: `Hi ${words}`,
        html: `<p>${words}`,
        id,
        calendar: { method: "PUBLISH", ics: `BEGIN:VCALENDAR\r\nSUMMARY:${words}\r\nEND:VCALENDAR\r\n` },
        thread: { inReplyTo: id, references: [id, "<guest-1@mail.example.com>", id] },
        attachments: [{ name: file, type: file, content: new TextEncoder().encode(words) }]
      }
      const raw = await Effect.runPromise(
        buildMimeMessage(evil, { from, date: Instant.make(0), messageDomain: replyDomain })
      )
      const email = await PostalMime.parse(raw)
      assert.isTrue(email.headers.every(({ key }) => knownHeaders.has(key)), email.headers.map(({ key }) => key).join())
      assert.strictEqual(new Set(email.headers.map(({ key }) => key)).size, email.headers.length)
      assert.deepEqual(email.to?.map(({ address }) => address), ["ada@example.com"])
      assert.deepEqual(email.replyTo?.map(({ address }) => address), [mail.replyTo?.email])
      assert.strictEqual(email.from?.address, from)
      // The calendar is an alternative part and an attachment. The only other attachment is the test's own file.
      assert.deepEqual(email.attachments.map(({ mimeType }) => mimeType).filter((type) => !calendars.has(type)), [
        "application/octet-stream"
      ])
      assert.notMatch(Buffer.from(raw).toString("latin1"), /[^\r]\n/)
    }),
    { numRuns: 150 }
  )
})

test("the mailer refuses an address that contains a line break", async () => {
  const { arrived, port } = await begin()
  const evil = { ...mail, to: { name: "Ada", email: "ada@example.com>\r\nRCPT TO:<eve@example.com" } }
  const result = await send(evil, settings(port))
  assert.deepInclude(result._tag === "Left" ? result.left : undefined, { permanent: true })
  assert.deepEqual(arrived, [])
})

describe("the connection check", () => {
  const examine = (url: string) => Effect.runPromise(Effect.either(Smtp.verifyConnection(Redacted.make(url))))

  test("returns the server's features and does not send an email", async () => {
    const { arrived, port } = await begin({ hideDSN: false })
    assert.deepInclude(await examine(`smtp://127.0.0.1:${port}`), {
      right: { isEncrypted: false, offersReports: true }
    })
    assert.deepEqual(arrived, [])
  })

  test("signs in over an encrypted connection, and reports incorrect credentials", async () => {
    const { port } = await begin({
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ password, username }, _session, done) =>
        username === "jo@pine" && password === "hunter 2" ? done(null, { user: "jo" }) : done(makeRefusal(535))
    })
    assert.deepInclude(await examine(`smtp://jo%40pine:hunter%202@127.0.0.1:${port}`), {
      right: { isEncrypted: true, offersReports: false }
    })
    const wrong = await examine(`smtp://jo%40pine:wrong@127.0.0.1:${port}`)
    assert.deepInclude(wrong._tag === "Left" ? wrong.left : undefined, { reason: "login" })
  })

  test("reports a server that does not speak SMTP", async () => {
    const listener = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
    const address = listener.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    assert.strictEqual((await examine(`smtp://127.0.0.1:${port}`))._tag, "Left")
    await new Promise((resolve) => listener.close(resolve))
  })
})
