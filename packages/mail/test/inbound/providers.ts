/**
 * Requests in the providers' documented formats, with all fields. Trailbook must ignore the fields that it does not
 * need.
 */
export interface PostedForm {
  readonly contentType: string
  readonly body: Buffer
}

const boundary = "xYzZY"

const multipart = (
  fields: ReadonlyArray<readonly [name: string, value: Buffer | string, headers?: string]>
): PostedForm => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  body: Buffer.concat([
    ...fields.flatMap(([name, value, headers = ""]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n`),
      Buffer.from(value as string),
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])
})

/** Returns a request from SendGrid's Inbound Parse with "POST the raw, full MIME message". */
export const sendgrid = (raw: Buffer, { from, to }: Envelope): PostedForm =>
  multipart([
    ["email", raw],
    ["dkim", "{@example.com : pass}"],
    ["to", "Somebody else <other@elsewhere.example>"],
    ["from", "Eve <eve@evil.example>"],
    ["subject", "Re: Your float"],
    ["sender_ip", "192.0.2.1"],
    ["spam_report", "Spam detection software, running on the system \"parse\",\n has NOT identified this"],
    ["spam_score", "0.011"],
    ["envelope", JSON.stringify({ to: [to], from })],
    ["charsets", JSON.stringify({ to: "UTF-8", subject: "UTF-8", from: "UTF-8" })],
    ["SPF", "pass"]
  ])

/**
 * Returns a request from a Mailgun route that forwards to a URL ending in `mime`. The body is a URL-encoded or a
 * multipart form.
 */
export const mailgun = (
  raw: Buffer,
  { from, to }: Envelope,
  format: "urlencoded" | "parts" = "urlencoded"
): PostedForm => {
  const fields: ReadonlyArray<readonly [string, Buffer | string]> = [
    ["recipient", to],
    ["sender", from],
    ["subject", "Re: Your float"],
    ["from", "Eve <eve@evil.example>"],
    ["X-Envelope-From", `<${from}>`],
    ["Message-Id", "<other@elsewhere.example>"],
    ["timestamp", "1780066800"],
    ["token", "0123456789abcdef"],
    ["signature", "fedcba9876543210"],
    ["domain", "in.trailbook.example"],
    ["message-headers", JSON.stringify([["From", "Eve <eve@evil.example>"]])],
    ["body-mime", raw]
  ]
  if (format === "parts") return multipart(fields)
  const encode = (value: Buffer | string) =>
    Array.from(Buffer.from(value as string), (byte) => {
      const character = String.fromCharCode(byte)
      if (character === " ") return "+"
      return /[\w.-]/.test(character) && byte < 0x80
        ? character
        : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`
    }).join("")
  return {
    contentType: "application/x-www-form-urlencoded; charset=utf-8",
    body: Buffer.from(fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&"))
  }
}

/** Returns a request from Postmark's inbound stream with "Include raw email content in JSON payload". */
export const postmark = (raw: Buffer, { from, to }: Envelope): PostedForm => ({
  contentType: "application/json",
  body: Buffer.from(JSON.stringify({
    FromName: "Eve",
    MessageStream: "inbound",
    From: "eve@evil.example",
    FromFull: { Email: "eve@evil.example", Name: "Eve", MailboxHash: "" },
    To: "\"Somebody else\" <other@elsewhere.example>",
    ToFull: [{ Email: "other@elsewhere.example", Name: "Somebody else", MailboxHash: "" }],
    Cc: "",
    CcFull: [],
    OriginalRecipient: to,
    Subject: "Re: Your float",
    MessageID: "73e6d360-66eb-11e1-8e72-a8904824019b",
    ReplyTo: "",
    MailboxHash: "",
    Date: "Sat, 2 May 2026 09:12:00 +0000",
    TextBody: "Pay at evil.example",
    HtmlBody: "<p>Pay at evil.example</p>",
    StrippedTextReply: "Pay at evil.example",
    Tag: "",
    Headers: [
      { Name: "X-Spam-Status", Value: "No" },
      { Name: "Return-Path", Value: `<${from}>` }
    ],
    Attachments: [],
    RawEmail: raw.toString()
  }))
})

export interface Envelope {
  readonly from: string
  readonly to: string
}
