/**
 * Tests messages in a host application. The host's mailer sends them, the handler receives the replies, and the hooks
 * receive the events.
 */
import { createTrailbook, type Mail, type Message, type TrailbookOptions } from "trailbook"
import { describe, expect, expectTypeOf, it } from "vitest"
import { ada, makeClock, openTrailbook, salida, trip } from "./outfit.ts"

const secret = "s".repeat(40)
const replies = { domain: "reply.salida.example", secret }

const world = async (options: Partial<TrailbookOptions> = {}) => {
  const mails: Array<Mail> = []
  const clock = makeClock()
  const trailbook = await openTrailbook({
    publicUrl: "https://salida.example",
    mailer: { send: async (mail) => mails.push(mail) },
    replies,
    http: { basePath: "/booking" },
    logLevel: "silent",
    clock,
    ...options
  })
  /** Runs the worker 2 seconds later, once the new events are due for delivery. */
  const work = () => {
    clock.at += 2000
    return trailbook.worker.runOnce()
  }
  const { id: customer_id } = await trailbook.customers.upsert({ email: "ada@example.com", name: "Ada" })
  const post = (path: string, body: string) =>
    trailbook.handler(
      new Request(`https://salida.example${path}`, {
        method: "POST",
        headers: { "content-type": "message/rfc822" },
        body
      })
    )
  return { trailbook, mails, customer_id, post, work }
}

const reply = (to: string, words: string, from = "ada@example.com") =>
  `From: Ada <${from}>\r\nTo: ${to}\r\nSubject: Re: Hello\r\nMessage-ID: <${words.length}@example.com>\r\n\r\n${words}\r\n`

describe("an embedded Trailbook's messages", () => {
  it("use the host's mailer, inbound email URL, and event handlers", async () => {
    const { customer_id, mails, post, trailbook, work } = await world()
    const received: Array<string> = []
    trailbook.on("message.received", ({ data }) => {
      expectTypeOf(data).toEqualTypeOf<Message>()
      received.push(`${data.from_name}: ${data.body}`)
    })
    trailbook.on("message.sent", ({ data }) => void received.push(`we: ${data.body}`))

    // The first run starts the subscriptions, which receive only later events.
    await work()
    const message = await trailbook.messages.send({ customer_id, body: "Bring a towel.", subject: "Saturday" })
    expectTypeOf(message).toEqualTypeOf<Message>()
    expect(message).toMatchObject({ sent_by: "api", channel: "email", direction: "to_guest", customer_id })
    await work()
    const [mail] = mails
    expect(mail).toMatchObject({ to: { email: "ada@example.com" }, subject: "Saturday", automatic: "no" })
    const to = mail?.replyTo?.email ?? ""
    expect(to).toMatch(/^reply\+[0-9a-v]{26}@reply\.salida\.example$/)

    expect(await (await post(`/booking/mail/in/${secret}`, reply(to, "Which one?"))).json()).toEqual({
      outcome: "taken"
    })
    expect(await (await post(`/booking/mail/in/${secret}`, reply(to, "Me too.", "eve@example.com"))).json())
      .toEqual({ outcome: "dropped" })
    await work()
    expect(received).toEqual(["we: Bring a towel.", "Ada: Which one?"])
    const { data: [conversation] } = await trailbook.conversations.list({})
    expect(conversation).toMatchObject({ needs_reply: true, unread: true, last_message: { body: "Which one?" } })

    // The reply continues the guest's email thread.
    await trailbook.messages.send({ conversation_id: message.conversation_id ?? "", body: "Any." })
    await work()
    expect(mails.at(-1)).toMatchObject({ subject: "Re: Hello", thread: { inReplyTo: "<10@example.com>" } })
  })

  it("add a note if a confirmation bounces", async () => {
    const { mails, post, trailbook, work } = await world()
    const { customer_id, id } = await trailbook.bookings.create({ ...await trip(trailbook), ...ada })
    await work()
    const [mail] = mails
    expect(mail).toMatchObject({ automatic: "generated", replyTo: { email: expect.stringContaining("reply+") } })
    const report = (outcome: string) =>
      [
        "From: MAILER-DAEMON@mx.example.net",
        `To: bounce+${mail?.bounceToken}@reply.salida.example`,
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.example.net",
        "",
        "Final-Recipient: rfc822; ada@example.com",
        `Action: ${outcome}`,
        "Status: 5.1.1",
        "Diagnostic-Code: smtp; 550 5.1.1 no such user",
        "--b--"
      ].join("\r\n")
    for (const outcome of ["delayed", "failed", "failed"]) await post(`/booking/mail/in/${secret}`, report(outcome))
    const { data } = await trailbook.messages.list({ customer_id })
    expect(data).toMatchObject([{
      kind: "note",
      sent_by: "agent",
      body: "An email about a booking did not reach ada@example.com: 550 5.1.1 no such user"
    }])
    // The failure does not block a resend.
    await trailbook.bookings.resend({ id })
    await work()
    expect(mails).toHaveLength(2)
  })

  it("are sent once per idempotency key", async () => {
    const { customer_id, trailbook } = await world()
    const input = { customer_id, body: "See you.", idempotency_key: crypto.randomUUID() }
    const [one, two] = [await trailbook.messages.send(input), await trailbook.messages.send(input)]
    expect(two.id).toBe(one.id)
    await expect(trailbook.messages.send({ ...input, body: "Do not." })).rejects.toMatchObject({
      code: "idempotency_conflict",
      status: 409
    })
    const hold = await trailbook.bookings.create({ ...await trip(trailbook), ...ada, hold_minutes: 30 })
    expect(await trailbook.try.messages.send({ booking_id: hold.id, body: "Hello." })).toMatchObject({
      ok: false,
      error: { code: "booking_held" }
    })
    await trailbook.customers.delete({ id: customer_id })
    await expect(trailbook.messages.send({ customer_id, body: "Hello." })).rejects.toMatchObject({
      code: "customer_erased"
    })
  })

  it("are received only at the inbound email URL", async () => {
    const { post, trailbook } = await world({ http: { basePath: "/booking", authorize: () => null } })
    for (const path of ["/mail/in/", "/booking/mail/in/", "/booking/mail/in/guessed"]) {
      expect((await post(path, "x")).status, path).toBe(404)
    }
    expect((await post(`/booking/mail/in/${secret}`, "")).status).toBe(400)
    expect((await trailbook.handler(new Request(`https://salida.example/booking/mail/in/${secret}`))).status).toBe(405)
    expect((await trailbook.handler(new Request("https://salida.example/booking/v1/org"))).status).toBe(401)
  })

  it("have no reply address unless configured", async () => {
    const { customer_id, mails, post, trailbook, work } = await world({ replies: undefined })
    await trailbook.messages.send({ customer_id, body: "Bring a towel." })
    await work()
    expect(mails[0]?.replyTo).toBeNull()
    expect((await post(`/booking/mail/in/${secret}`, "x")).status).toBe(404)
  })

  it("attach files from the host's storage or link to them", async () => {
    const storedFiles = new Map<string, Uint8Array<ArrayBuffer>>()
    const { customer_id, mails, trailbook, work } = await world({
      files: {
        put: async (key, bytes) => storedFiles.set(key, new Uint8Array(bytes)),
        get: async (key) => {
          const bytes = storedFiles.get(key)
          return bytes === undefined ? null : new Blob([bytes]).stream()
        },
        remove: async (key) => storedFiles.delete(key)
      }
    })
    const { api_key } = await trailbook.keys.create({ name: "test" })
    const upload = async (name: string, bytes: number) => {
      const body = new FormData()
      body.set("file", new Blob([Buffer.alloc(bytes, "%PDF-1.7\n")]), name)
      const answer = await trailbook.handler(
        new Request("https://salida.example/booking/v1/attachments", {
          method: "POST",
          headers: { authorization: `Bearer ${api_key}` },
          body
        })
      )
      const { id }: { readonly id: string } = await answer.json()
      return { id, name }
    }
    const attachments = [await upload("small.pdf", 1000), await upload("large.pdf", 8 * 1024 * 1024)]
    await trailbook.messages.send({ customer_id, body: "Two maps.", attachments })
    await work()
    expect(mails[0]?.attachments.map(({ name }) => name)).toEqual(["small.pdf"])
    const [link = ""] = /https:\/\/salida\.example\/booking\/files\/\S+/.exec(mails[0]?.text ?? "") ?? []
    const response = await trailbook.handler(new Request(link))
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(8 * 1024 * 1024)
    expect((await trailbook.handler(new Request(`${link}0`))).status).toBe(404)
  })
})

describe("an embedded Trailbook's drafts", () => {
  it("are written by the host's drafter", async () => {
    const { customer_id, trailbook, work } = await world({
      drafter: { draft: async ({ material }) => `Dear ${(JSON.parse(material) as { guest: string }).guest}` }
    })
    const received: Array<string> = []
    trailbook.on("message.drafted", ({ data }) => void received.push(data.text))
    await work()
    const { conversation_id } = await trailbook.messages.send({ customer_id, body: "Bring a towel." })
    expect(await trailbook.messages.draft({ conversation_id: conversation_id ?? "" })).toEqual({ text: "Dear Ada" })
    await work()
    expect(received).toEqual(["Dear Ada"])
  })

  it("are refused without a working drafter", async () => {
    const lines: Array<string> = []
    const setup = await world({
      drafter: { draft: () => Promise.reject(new Error("ada@example.com is not allowed")) },
      log: (line) => lines.push(line),
      logLevel: "warn"
    })
    const { conversation_id } = await setup.trailbook.messages.send({ customer_id: setup.customer_id, body: "Hi." })
    await expect(setup.trailbook.messages.draft({ conversation_id: conversation_id ?? "" })).rejects.toMatchObject({
      code: "draft_failed",
      status: 502
    })
    expect(lines.join("")).toContain("The host application's drafter failed: Error.")
    expect(lines.join("")).not.toContain("ada@")
    const none = await world()
    await expect(none.trailbook.messages.draft({ conversation_id: crypto.randomUUID() })).rejects.toMatchObject({
      code: "drafts_unavailable"
    })
  })
})

it.each<readonly [object, RegExp]>([
  [{ replies: { domain: "localhost", secret } }, /^TypeError: replies\.domain: must be a domain/],
  [{ replies: { secret } }, /^TypeError: replies\.domain: must be/],
  [{ replies: { domain: "reply.salida.example", secret: "short" } }, /^TypeError: replies\.secret: must be 32 to 128/],
  [{ replies: { domain: "reply.salida.example" } }, /^TypeError: replies\.secret: must be/],
  [{ replies: { ...replies, host: "x" } }, /^TypeError: replies\.host: is not an option/],
  [{ drafter: {} }, /^TypeError: drafter: must be/],
  [{ drafter: { url: "https://api.example.com/v1" } }, /^TypeError: drafter: must be/],
  [{ drafter: { url: "api.example.com", model: "m" } }, /^TypeError: drafter: must be/]
])("createTrailbook rejects the invalid option %j", async (options, expected) => {
  const error: unknown = await createTrailbook({ database: ":memory:", org: salida, ...options }).catch((error) =>
    error
  )
  expect(String(error)).toMatch(expected)
})
