import type { DnsResolver } from "@trailbook/mail/inbound/checkDmarc"
import type { DmarcVerdict } from "@trailbook/mail/inbound/parse/ParsedMail"
import { parseMail } from "@trailbook/mail/inbound/parse/parseMail"
import { generateKeyPairSync } from "node:crypto"
import Dkim from "nodemailer/lib/dkim"
import MailComposer from "nodemailer/lib/mail-composer"
import { assert, describe, test } from "vitest"
import * as FakeIntake from "./FakeIntake.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

const key = `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}`

const plain = (from = "Ada <ada@example.com>"): Promise<Buffer> =>
  new MailComposer({
    from,
    to: FakeIntake.address,
    subject: "Re: Your float",
    text: "See you!",
    messageId: "<one@mail.example.com>"
  }).compile().build()

/** Returns an email signed by the guest's mail server. */
const signMail = async (domain = "example.com"): Promise<Buffer> => {
  const stream = new Dkim({ domainName: domain, keySelector: "s", privateKey }).sign(await plain())
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Returns a resolver that finds only these TXT records. */
const zone = (records: Readonly<Record<string, string>>): DnsResolver => (domain, type) => {
  const record = type === "TXT" ? records[domain] : undefined
  return record === undefined
    ? Promise.reject(Object.assign(new Error("no such record"), { code: "ENOTFOUND" }))
    : Promise.resolve([[record]])
}

const policy = (p: string) => ({ "_dmarc.example.com": `v=DMARC1; p=${p}` })

const outcome = async (
  raw: Buffer,
  resolver: DnsResolver,
  verdict: DmarcVerdict | null = null,
  verdictWithinMs = 5000
) => {
  const result = await parseMail({
    raw,
    envelope: {
      from: "ada@example.com",
      to: [FakeIntake.address],
      client: { ip: "192.0.2.1", helo: "mail.example.com" }
    },
    to: FakeIntake.conversation,
    replyDomain: FakeIntake.replyDomain,
    verdict
  }, { resolver, verdictWithinMs })
  return result._tag === "Dropped" ? result.reason : result._tag
}

describe("the DMARC check", () => {
  test("accepts an email that the guest's domain signed", async () => {
    const resolver = zone({ ...policy("reject"), "s._domainkey.example.com": key })
    assert.strictEqual(await outcome(await signMail(), resolver), "Message")
  })

  test("accepts an email from a server that the guest's domain allows", async () => {
    const resolver = zone({ ...policy("reject"), "example.com": "v=spf1 ip4:192.0.2.0/24 -all" })
    assert.strictEqual(await outcome(await plain(), resolver), "Message")
  })

  test.each(["quarantine", "reject"])(
    "rejects a forged email if the domain's policy is %s",
    async (p) => {
      assert.strictEqual(await outcome(await plain(), zone(policy(p))), "forged")
      // A signature from another domain does not count.
      const others = zone({ ...policy(p), "s._domainkey.evil.example": key })
      assert.strictEqual(await outcome(await signMail("evil.example"), others), "forged")
    }
  )

  test("accepts an email if the domain has no policy", async () => {
    assert.strictEqual(await outcome(await plain(), zone({})), "Message")
    assert.strictEqual(await outcome(await plain(), zone(policy("none"))), "Message")
  })

  test("accepts an email if DNS fails or times out", async () => {
    const failingResolver: DnsResolver = () =>
      Promise.reject(Object.assign(new Error("no answer"), { code: "ESERVFAIL" }))
    assert.strictEqual(await outcome(await plain(), failingResolver), "Message")
    const silent: DnsResolver = () => new Promise(() => {})
    assert.strictEqual(await outcome(await plain(), silent, null, 20), "Message")
  })

  test("accepts an email if only the signature key lookup fails", async () => {
    const resolver: DnsResolver = (domain, type) =>
      domain.startsWith("s._domainkey")
        ? Promise.reject(Object.assign(new Error("no answer"), { code: "ESERVFAIL" }))
        : zone(policy("reject"))(domain, type)
    assert.strictEqual(await outcome(await signMail(), resolver), "Message")
  })

  test("uses the result of an earlier trusted check", async () => {
    assert.strictEqual(await outcome(await plain(), zone(policy("reject")), "pass"), "Message")
    assert.strictEqual(await outcome(await plain(), zone({}), "fail"), "forged")
  })
})
