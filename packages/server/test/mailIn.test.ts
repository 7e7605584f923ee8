import { MailIntake, type ParsedMail } from "@trailbook/core/conversation"
import { type MailReceiverSettings, startMailReceivers } from "@trailbook/runtime/service/startMailReceivers"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { connect } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"

const secret = "s".repeat(32)
const token = "k7m2q9x4t5w8z3b6n1r0s2v4c8"
const address = `reply+${token}@reply.pine.example`
const raw = `From: Ada <ada@example.com>\r\nTo: ${address}\r\nSubject: Re: Your float\r\n\r\nSee you!\r\n`

const settings: MailReceiverSettings = {
  replyDomain: "reply.pine.example",
  mailListen: { protocol: "lmtp", host: "127.0.0.1", port: 0 },
  mailCertificate: undefined,
  mailInSecret: secret,
  shutdownGraceSeconds: 1
}

const open = async (some: Partial<MailReceiverSettings>) => {
  const acceptedMails: Array<ParsedMail> = []
  const inbox = MailIntake.of({
    loadReplyContext: (mailToken) =>
      Effect.succeed(
        mailToken.token !== token ? Option.none() : Option.some({
          orgName: "Pine River",
          senderEmail: "ada@example.com",
          addresses: [`reply+${token}`],
          sent: [],
          strict: false
        })
      ),
    acceptReply: (mail) =>
      Effect.sync(() => {
        acceptedMails.push(mail)
        return "taken" as const
      }),
    isReportable: () => Effect.succeed(false),
    recordReport: () => Effect.void,
    drop: () => Effect.void
  })
  const scope = Effect.runSync(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const handlers = Effect.flatMap(
    startMailReceivers({ ...settings, ...some }),
    ({ mount, listen }) => Effect.map(listen, (listening) => ({ mount, listening }))
  )
  return {
    acceptedMails,
    ...await Effect.runPromise(Effect.provideService(Scope.extend(handlers, scope), MailIntake, inbox))
  }
}

const other = () => new Response("other")

const post = (path: string) =>
  new Request(`http://127.0.0.1${path}`, { method: "POST", headers: { "content-type": "message/rfc822" }, body: raw })

describe("inbound mail", () => {
  it("is disabled if it is not configured", async () => {
    for (const some of [{ replyDomain: undefined }, { mailListen: undefined, mailInSecret: undefined }]) {
      const { mount, listening } = await open(some)
      expect({ listening, same: mount(other) === other }).toEqual({ listening: undefined, same: true })
    }
  })

  it("accepts email from providers only at its secret URL", async () => {
    const { mount, acceptedMails } = await open({ mailListen: undefined })
    const handler = mount(other)
    expect((await handler(post(`/mail/in/${secret}`))).status).toBe(200)
    expect(acceptedMails.map(({ body }) => body)).toEqual(["See you!"])
    expect((await handler(post("/mail/in/guessed"))).status).toBe(404)
    expect(await (await handler(post("/v1/bookings?from=/mail/in/"))).text()).toBe("other")
  })

  it("accepts email from a mail server", async () => {
    const { listening, acceptedMails } = await open({})
    const response = await new Promise<string>((resolve) => {
      const socket = connect(listening?.port ?? 0, "127.0.0.1")
      const lines = [`LHLO t`, "MAIL FROM:<ada@example.com>", `RCPT TO:<${address}>`, "DATA", `${raw}.`, "QUIT"]
      let all = ""
      socket.on("data", (chunk) => {
        all += chunk.toString()
        // In the last line of a response, a space follows the code.
        if (/^\d{3} [^\r\n]*\r\n$/m.test(chunk.toString())) socket.write(`${lines.shift() ?? "NOOP"}\r\n`)
      })
      socket.on("close", () => resolve(all))
    })
    expect(response).toMatch(/^250[- ].*Taken/m)
    expect(acceptedMails.map(({ body }) => body)).toEqual(["See you!"])
  })

  it("reports an error if its port is already in use", async () => {
    const { listening } = await open({})
    const again = open({ mailListen: { protocol: "smtp", host: "127.0.0.1", port: listening?.port ?? 0 } })
    await expect(again).rejects.toThrow(/Cannot receive mail on 127\.0\.0\.1:\d+: .*EADDRINUSE/)
  })
})
