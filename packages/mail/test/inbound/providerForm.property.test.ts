/** Tests that the parser preserves every byte of a field and never parses a truncated form as an email. */
import { parseFormFields } from "@trailbook/mail/inbound/parseProviderPayload"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, test } from "vitest"

const boundary = "xYzZY"
const type = `multipart/form-data; boundary=${boundary}`

/** Generates raw bytes and form delimiters. */
const value = FastCheck.oneof(
  FastCheck.uint8Array({ maxLength: 60 }),
  FastCheck.array(
    FastCheck.constantFrom(
      "\r\n",
      "\n",
      "--",
      "--xYzZ",
      "\r\n--xYzZ",
      "\r\n\r\n",
      "&",
      "=",
      "%",
      "%4",
      "+",
      "\xFF",
      "é"
    ),
    { maxLength: 12 }
  ).map((parts) => Buffer.from(parts.join(""), "latin1"))
).map((bytes) => Buffer.from(bytes)).filter((bytes) => !bytes.includes(boundary))

const fields = FastCheck.uniqueArray(
  FastCheck.tuple(FastCheck.constantFrom("email", "envelope", "body-mime", "sender", "a b", "ä", ""), value),
  { selector: ([name]) => name, maxLength: 5 }
)

type Fields = ReadonlyArray<readonly [string, Buffer]>

const multipart = (all: Fields, extra = ""): Buffer =>
  Buffer.concat([
    ...all.flatMap(([name, bytes]) => [
      Buffer.from(`--${boundary}\r\n${extra}Content-Disposition: form-data; name="${name}"\r\n\r\n`),
      bytes,
      Buffer.from("\r\n")
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])

const encode = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => byte === 0x20 ? "+" : `%${byte.toString(16).padStart(2, "0")}`).join("")

const isSame = (actual: ReadonlyMap<string, Buffer> | undefined, all: Fields): void =>
  assert.deepEqual(
    [...actual ?? []].map(([name, bytes]) => [name, bytes.toString("hex")]),
    all.map(([name, bytes]) => [name, bytes.toString("hex")])
  )

describe("a multipart form", () => {
  test("preserves every byte of its fields", () =>
    FastCheck.assert(
      FastCheck.property(fields, FastCheck.boolean(), (all, hasType) => {
        if (all.length === 0) return
        isSame(parseFormFields(type, multipart(all, hasType ? "Content-Type: text/plain; charset=utf-8\r\n" : "")), all)
      }),
      { numRuns: 500 }
    ))

  test("is rejected if it is truncated", () =>
    FastCheck.assert(
      FastCheck.property(fields, FastCheck.nat(), (all, at) => {
        const whole = multipart(all)
        // The final line break is optional, so every cut also removes part of the closing boundary.
        assert.isUndefined(parseFormFields(type, whole.subarray(0, at % (whole.length - 3))))
      }),
      { numRuns: 500 }
    ))

  test("can have unquoted field names and a quoted boundary", () => {
    const body = Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name=email\r\n\r\nHi\r\n--${boundary}--`)
    isSame(parseFormFields(`multipart/form-data; charset=utf-8; boundary="${boundary}"`, body), [[
      "email",
      Buffer.from("Hi")
    ]])
  })

  test("keeps the first value for each name", () => {
    const twice = [["email", Buffer.from("one")], ["email", Buffer.from("two")], ["to", Buffer.from("x")]] as const
    isSame(parseFormFields(type, multipart(twice)), [["email", Buffer.from("one")], ["to", Buffer.from("x")]])
    isSame(parseFormFields(type, Buffer.from(`--${boundary}\r\nX: y\r\n\r\nHi\r\n--${boundary}--`)), [])
  })
})

describe("a URL-encoded form", () => {
  test("preserves every byte of its fields", () =>
    FastCheck.assert(
      FastCheck.property(fields, (all) => {
        const namedFields = all.filter(([name]) => name !== "")
        const body = namedFields.map(([name, bytes]) => `${encode(Buffer.from(name))}=${encode(bytes)}`).join("&")
        isSame(parseFormFields("application/x-www-form-urlencoded; charset=utf-8", Buffer.from(body)), namedFields)
      }),
      { numRuns: 500 }
    ))

  test("keeps an invalid percent escape as text", () => {
    const body = Buffer.from("email=100%+%zz%4g%+4%4&&=x&alone&to=a%40b%C3%a4")
    isSame(parseFormFields("application/x-www-form-urlencoded", body), [
      ["email", Buffer.from("100% %zz%4g% 4%4")],
      ["to", Buffer.from("a@bä")]
    ])
  })
})

test("the form parser never throws or hangs for invalid input", () =>
  FastCheck.assert(
    FastCheck.property(
      FastCheck.constantFrom(type, "multipart/form-data", "application/x-www-form-urlencoded", "text/html", ""),
      FastCheck.array(
        FastCheck.constantFrom(
          `--${boundary}`,
          `\r\n--${boundary}`,
          "--",
          "\r\n",
          "\r\n\r\n",
          "Content-Disposition:",
          "; name=\"",
          "\"",
          "%",
          "&",
          "\0"
        ),
        { maxLength: 30 }
      ),
      (contentType, parts) => {
        const fields = parseFormFields(contentType, Buffer.from(parts.join("")))
        assert.isAtMost(fields?.size ?? 0, 200)
      }
    ),
    { numRuns: 2000 }
  ))

test("the form parser returns at most 200 fields", () => {
  const many = (n: number) => multipart(Array.from({ length: n }, (_, at) => [`f${at}`, Buffer.from("x")] as const))
  assert.strictEqual(parseFormFields(type, many(200))?.size, 200)
  assert.isUndefined(parseFormFields(type, many(201)))
  const body = Buffer.from(Array.from({ length: 5000 }, (_, at) => `f${at}=x`).join("&"))
  assert.strictEqual(parseFormFields("application/x-www-form-urlencoded", body)?.size, 200)
})
