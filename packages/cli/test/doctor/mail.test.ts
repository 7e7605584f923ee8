import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { checkMail } from "../../src/doctor/checkMail.ts"

const from = { mailFrom: "bookings@pine.example" }

/** Starts a server that sends one of these lines for each message that it receives. */
const speaking = async (answers: ReadonlyArray<string>) => {
  const server = createServer((socket) => {
    let next = 0
    const say = () => void socket.write(`${answers[next++] ?? "221 bye"}\r\n`)
    socket.on("data", say).on("error", () => {})
    say()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : ""
}

describe("the mail check", () => {
  it("reports no problem if email is not configured", async () => {
    expect(await checkMail(from)).toEqual([])
  })

  it("signs in to the mail server and reports its capabilities", async () => {
    const host = await speaking(["220 mail", "250-mail\r\n250-DSN\r\n250 AUTH PLAIN", "235 welcome"])
    const checks = await checkMail({ ...from, smtpUrl: `smtp://jo:hunter2@${host}` })
    expect(checks).toEqual([
      {
        check: "mail server",
        result: `${host} accepts mail without encryption and reports deliveries`,
        fix: undefined
      },
      { check: "mail in", result: "--reply-domain is not set, so guests cannot reply by email", fix: undefined }
    ])
  })

  it("reports an incorrect password, address, or sender", async () => {
    const host = await speaking(["220 mail", "250 AUTH PLAIN", "535 5.7.8 hunter2 is wrong"])
    const checks = [
      ...await checkMail({ mailFrom: "bookings@localhost", smtpUrl: `smtp://jo:hunter2@${host}` }),
      ...await checkMail({ ...from, smtpUrl: "smtp://jo:hunter2@127.0.0.1:1" })
    ].filter(({ fix }) => fix !== undefined)
    expect(checks.map(({ check, result }) => `${check}: ${result}`)).toEqual([
      "mail from: bookings@localhost is not a sender address that other mail servers accept",
      `mail server: ${host}: The mail server rejected the login (535 5.7.8).`,
      "mail server: 127.0.0.1:1: The mail server is unreachable: ECONNREFUSED."
    ])
    expect(JSON.stringify(checks)).not.toContain("hunter2")
  })

  it("reports a setting that depends on a missing setting", async () => {
    const lone = await checkMail({ ...from, mailListen: {}, mailInSecret: "s", dkimKey: "missing.pem" })
    expect(lone.map(({ check, result }) => `${check}: ${result}`)).toEqual([
      "mail: --mail-listen requires --reply-domain",
      "mail: --mail-in-secret requires --reply-domain",
      "mail: --dkim-key requires --smtp-url",
      expect.stringContaining("mail keys: Cannot read the file missing.pem set by --dkim-key")
    ])
    expect(await checkMail({ ...from, replyDomain: "reply.pine.example" })).toMatchObject([{
      check: "mail in",
      result: "replies are addressed to reply.pine.example, but no mail receiver is configured"
    }])
  })

  it("requires a private key in the certificate file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trailbook-keys-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [good, wrong] = ["good.pem", "wrong.pem"].map((name) => join(folder, name)) as [string, string]
    writeFileSync(good, "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n")
    writeFileSync(wrong, "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n")
    const certificate = { ...from, replyDomain: "reply.pine.example", mailListen: {} }
    expect((await checkMail({ ...certificate, mailCertificate: good })).map(({ fix }) => fix)).toEqual([undefined])
    expect(await checkMail({ ...certificate, mailCertificate: wrong })).toMatchObject([
      { check: "mail keys", result: expect.stringContaining("must contain a private key in PEM format") },
      { check: "mail in" }
    ])
  })
})
