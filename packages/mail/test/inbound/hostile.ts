/** Generates malicious emails: malformed, endless, nested, repetitive, or full of meaningless bytes. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as FakeIntake from "./FakeIntake.ts"

/** Returns a pseudorandom number below `n`. The same seed produces the same sequence. */
export type Dice = (n: number) => number

export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  return (n) => {
    state = Math.imul(state ^ (state >>> 15), 0x2C1B3C6D) + 0x9E3779B9 >>> 0
    const bits = Math.imul(state ^ (state >>> 12), 0x297A2D39) >>> 0
    return ((bits ^ (bits >>> 15)) >>> 0) % n
  }
}

const replies = readdirSync(FakeIntake.replies).filter((name) => name.endsWith(".eml")).map((name) =>
  readFileSync(join(FakeIntake.replies, name))
)

const pick = <A>(roll: Dice, of: ReadonlyArray<A>): A => of[roll(of.length)] as A

const from = "From: Ada <ada@example.com>\r\n"

/** Returns a real reply with some bytes changed, removed, duplicated, or cut off. */
const breakReply = (roll: Dice): Buffer => {
  let raw = Buffer.from(pick(roll, replies))
  for (let n = roll(8); n >= 0; n--) {
    const at = roll(raw.length)
    const to = Math.min(raw.length, at + roll(200))
    switch (roll(5)) {
      case 0:
        raw[at] = roll(256)
        break
      case 1:
        raw = Buffer.concat([raw.subarray(0, at), raw.subarray(to)])
        break
      case 2:
        raw = Buffer.concat([raw.subarray(0, to), raw.subarray(at)])
        break
      case 3:
        raw = Buffer.concat([raw.subarray(0, at), Buffer.from(pick(roll, pieces)), raw.subarray(at)])
        break
      default:
        raw = Buffer.from(raw.subarray(0, Math.max(1, to)))
    }
  }
  return raw
}

const pieces = [
  "\r\n",
  "\r\n\r\n",
  "\0",
  "--b",
  "Content-Type: multipart/mixed; boundary=b\r\n",
  "=?utf-8?B?",
  "=?x?Q?=ZZ?=",
  "\xFF\xFE",
  "From: eve@example.com\r\n",
  ";boundary=\"",
  "<".repeat(500),
  "(".repeat(500),
  "=\r\n",
  "> > > >"
]

/** Returns nested parts with mismatched charsets, encodings, and names. */
const nestParts = (roll: Dice, depth = 0): string => {
  const encoding = pick(roll, ["7bit", "base64", "quoted-printable", "x-none", ""])
  const charset = pick(roll, ["utf-8", "windows-1252", "utf-16", "iso-2022-jp", "gb18030", "none", "\"; evil"])
  if (depth < 40 && roll(10) < (depth === 0 ? 8 : 4)) {
    const boundary = pick(roll, ["b", "bb", "=_x", `d${depth}`, "", " "])
    const parts = Array.from({ length: 1 + roll(3) }, () => `--${boundary}\r\n${nestParts(roll, depth + 1)}\r\n`)
    const kind = pick(roll, ["mixed", "alternative", "related", "report", "signed", "x"])
    return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${parts.join("")}${
      roll(3) === 0 ? "" : `--${boundary}--\r\n`
    }`
  }
  const type = pick(roll, [
    "text/plain",
    "text/html",
    "message/rfc822",
    "image/jpeg",
    "text/calendar",
    "message/delivery-status"
  ])
  const name = pick(roll, ["a.jpg", "../../etc/passwd", "=?utf-8?Q?=00=0D=0A?=", "\u202Egpj.exe", ""])
  const body = Array.from({ length: roll(20) }, () => pick(roll, words)).join(pick(roll, [" ", "\r\n", ""]))
  return `Content-Type: ${type}; charset=${charset}; name="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
}

const words = [
  "<blockquote>",
  "<div>",
  "</",
  "<![CDATA[",
  "&#x110000;",
  "&#0;",
  "On a wrote:",
  "=E2=82",
  "=",
  "\uD800",
  "在",
  ">",
  "-----Original Message-----",
  "From: <a@b>",
  "SGVsbG8=",
  FakeIntake.address,
  "\x80\x93"
]

/** Returns deeply nested parts that total at least this many bytes. */
const nestDeeply = (bytes: number, part: (at: number) => string): string => {
  let all = ""
  for (let at = 0; all.length < bytes; at++) all += part(at)
  return all
}

/** Repeats one element many times, for about this many bytes in total. */
const endless = (roll: Dice, bytes: number): string => {
  const much = (piece: string) => piece.repeat(Math.ceil(bytes / piece.length))
  const html = (body: string) => `${from}Content-Type: text/html; charset=utf-8\r\n\r\n${body}`
  return pick(roll, [
    () => `From: ${much("<")}\r\n\r\nHi`,
    () => `From: ${much("(")}\r\n\r\nHi`,
    () => `From: ${much("a@b.example, ")}ada@example.com\r\n\r\nHi`,
    () => `${from}Subject: ${much("=?utf-8?B?SGk=?= ")}\r\n\r\nHi`,
    () => `${from}Subject: ${much("a\r\n ")}\r\n\r\nHi`,
    () => `${from}${much("X-A: b\r\n")}\r\nHi`,
    () => `${from}References: ${much("<a@b> ")}\r\n\r\nHi`,
    () => `${from}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${much("--b\r\n\r\nHi\r\n")}`,
    () => `${from}${nestDeeply(bytes, (at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`)}Hi`,
    () => `${from}${nestDeeply(bytes, () => "Content-Type: message/rfc822\r\n\r\n")}Hi`,
    () => `${from}Content-Type: text/plain; ${much("a=b; ")}\r\n\r\nHi`,
    () => `${from}Content-Type: multipart/mixed; boundary="${much("b")}"\r\n\r\nHi`,
    () => `${from}\r\n${much("\r\n")}`,
    () => `${from}\r\n${much(" ")}x`,
    () => `${from}\r\n${much("-")}`,
    () => `${from}\r\n${much("> ")}`,
    () => `${from}\r\n${much(">\r\n")}`,
    () => `${from}\r\n${much("On a b wrote\r\n")}`,
    () => `${from}\r\n${much("在\r\n")}`,
    () => `${from}\r\n${much("W dniu a\r\n")}`,
    () => `${from}\r\n${much(`${FakeIntake.address}\r\n`)}`,
    () => `${from}Content-Transfer-Encoding: quoted-printable\r\n\r\n${much("=E2=82=AC=\r\n")}`,
    () => `${from}Content-Transfer-Encoding: base64\r\n\r\n${much("SGVs\r\nbG8=")}`,
    () => `${from}Content-Type: text/plain; format=flowed\r\n\r\n${much("a \r\n")}`,
    () => html(much("<div>")),
    () => html(much("<table><tr><td>")),
    () => html(much("<blockquote>a")),
    () => html(much("<a href='x'>")),
    () => html(much("<")),
    () => html(much("<!--")),
    () => html(much("&amp;")),
    () => html(much("<img src=\"data:")),
    () => html(much("<ul><li>")),
    () => html(much(`<p style="${"x".repeat(100)}">`))
  ])()
}

/** Returns a malicious email. An endless email is about this many bytes long. */
export const makeHostileMail = (roll: Dice, bytes: number): Buffer => {
  switch (roll(4)) {
    case 0:
      return breakReply(roll)
    case 1:
    case 2:
      return Buffer.from(`${from}Message-ID: <${roll(1e9)}@x>\r\n${nestParts(roll)}`)
    default:
      return Buffer.from(endless(roll, Math.max(100, roll(bytes))), roll(2) === 0 ? "utf8" : "latin1")
  }
}

/** Returns one endless email of each kind, each about this many bytes long. */
export const endlessOnes = (bytes: number): ReadonlyArray<Buffer> =>
  Array.from({ length: 34 }, (_, at) => Buffer.from(endless((n) => Math.min(at, n - 1), bytes)))
