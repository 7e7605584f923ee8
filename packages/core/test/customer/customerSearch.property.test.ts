import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer/customerSearch"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runs } from "../../../../test/runs.ts"

const elena = { name: "Elena Rodríguez", email: "elena.r@example.com", phone: "(719) 555-0142" }
const maxTerms = 12
const isFound = (guest: Partial<typeof elena>, q: string, ...references: ReadonlyArray<string>) =>
  matchesSearch(parseSearchQuery(q), toSearchTerms({ name: "", email: "", phone: "", ...guest }), references)

const writings: ReadonlyArray<readonly [guest: Partial<typeof elena>, ...searches: ReadonlyArray<string>]> = [
  [elena, "elena rodriguez", "RODRÍGUEZ, Elena", "rod el", "Rodri\u0301guez", "elena.r@example.com", "@example.com"],
  [
    elena,
    "719-555-0142",
    "(719) 555 0142",
    "+1 7195550142",
    "+17195550142",
    "7195550142",
    "555-0142",
    "0142",
    "elena 0142"
  ],
  [{ phone: "+1 719 555 0142" }, "719-555-0142", "(719) 555 0142", "+1 (719) 555-0142", "+17195550142"],
  [{ phone: "06 12 34 56 78" }, "06 12 34 56 78", "0612345678", "345678"],
  [{ phone: "020 7946 0958" }, "+44 20 7946 0958", "(+44) 20 7946-0958"],
  [{ phone: "5550142 ext. 12" }, "ext 12", "555-0142"],
  [{ name: "Jürgen Weiß" }, "jurgen weiss", "JÜRGEN WEISS", "weiß"],
  [{ name: "Søren Łukasz Đorđe Þóra" }, "soren", "ŁUKASZ", "lukasz dorde", "thora"],
  [{ name: "İpek Işık" }, "ipek", "isik", "IŞIK"],
  [{ name: "Siobhán O’Brien" }, "o'brien", "OBRIEN", "o brien", "brien"],
  [{ name: "Ann Smith-Jones" }, "smith-jones", "jones smith"],
  [{ name: "ΝΙΚΟΣ" }, "νικος", "ΝΙΚΟΣ", "Νίκο"],
  [{ name: "Жанна" }, "жанна", "ЖАН"],
  [{ name: "山田太郎" }, "山田", "太郎", "山田 太郎"],
  [{ name: "ｅｌｅｎａ" }, "Elena"],
  [{ name: "Thomas Müller", email: "a+12.5@b.co" }, "+12.5@b.co", "a+12.5@b.co"]
]

describe("a search", () => {
  it("finds a guest by any common spelling", () => {
    for (const [guest, ...searches] of writings) {
      for (const q of searches) expect(isFound(guest, q), `${JSON.stringify(guest)} by ${q}`).toBe(true)
    }
  })

  it("finds only guests who match the complete query", () => {
    for (const q of ["elena rodriguez anna", "lena", "719-555-0143", "elena 719 8", "example.org"]) {
      expect(isFound(elena, q), q).toBe(false)
    }
  })

  it("finds nothing for a query that has no letter or digit", () => {
    for (const q of ["%", "_", "*", "@", "'", "+ - ()", "😀"]) {
      expect(isFound({ ...elena, name: `${q} Elena` }, q), q).toBe(false)
    }
  })

  it("finds a booking by any common spelling of its complete reference", () => {
    for (const q of ["K7XQ2M10", "k7xq2m10", "K7XQ-2M10", "k7xq 2mlo", "K7XQ2MIO", "elena k7xq2m10"]) {
      expect(isFound(elena, q, "K7XQ2M10"), q).toBe(true)
    }
    for (const q of ["K7XQ", "K7XQ2M11", "anna k7xq2m10"]) expect(isFound(elena, q, "K7XQ2M10"), q).toBe(false)
  })

  const letters = FastCheck.string({
    unit: FastCheck.constantFrom(...Array.from("aAåÅéÉßøŁжЖ山が019 .-@'+(\u0301"), "Σ", "ς", "😀", "ﬁ"),
    maxLength: 12
  })
  const guest = FastCheck.record({ name: letters, email: letters, phone: letters })

  it("finds a guest by words from several fields", () => {
    FastCheck.assert(
      FastCheck.property(guest, FastCheck.nat(), (guest, turn) => {
        const { email, name, phone } = guest
        for (const q of [name, email, `${phone} ${email} ${name}`]) {
          expect(isFound(guest, q), q).toBe(parseSearchQuery(q).parts.length > 0)
        }
        const words = toSearchTerms(guest)
        const rotatedWords = [...words.slice(turn % (words.length + 1)), ...words.slice(0, turn % (words.length + 1))]
        expect(isFound(guest, rotatedWords.join(" "))).toBe(words.length > 0)
        expect(parseSearchQuery(rotatedWords.join(" ")).parts).toHaveLength(Math.min(words.length, maxTerms))
      }),
      { numRuns: runs(2000, 400) }
    )
  })

  it("uses no index term that is a prefix of another", () => {
    expect(toSearchTerms({ name: "Ann Garcia", email: "ann.garcia12@a.co", phone: "719 555" })).toEqual(
      ["19555", "555", "719555", "9555", "ann", "co", "garcia12"]
    )
    FastCheck.assert(
      FastCheck.property(guest, (guest) => {
        const words = toSearchTerms(guest)
        for (const word of words) expect(words.filter((other) => other.startsWith(word))).toEqual([word])
      }),
      { numRuns: runs(2000, 400) }
    )
  })

  it("finds exactly the phone numbers that contain the given digits", () => {
    const digits = FastCheck.string({ unit: FastCheck.constantFrom("0", "1", "2"), minLength: 1, maxLength: 8 })
    FastCheck.assert(
      FastCheck.property(digits, digits, FastCheck.constantFrom("", " ", "-", ") "), (phone, q, sign) => {
        const formattedPhone = Array.from(phone).join(sign)
        expect(isFound({ phone: formattedPhone }, q)).toBe(phone.includes(q))
      }),
      { numRuns: runs(2000, 400) }
    )
  })

  it("ignores case and diacritics on any letter", () => {
    const search = FastCheck.tuple(guest, letters).map(([guest, q]) => ({ guest, q }))
    FastCheck.assert(
      FastCheck.property(search, ({ guest, q }) => {
        const markedQuery = Array.from(q).map((letter) => /\p{L}/u.test(letter) ? `${letter}\u0308` : letter).join("")
        for (const again of [q.toUpperCase(), q.toLowerCase(), q.normalize("NFD"), markedQuery]) {
          expect(isFound(guest, again), `${q} as ${again}`).toBe(isFound(guest, q))
        }
      }),
      { numRuns: runs(2000, 400) }
    )
  })

  it("uses index terms of at most 64 characters", () => {
    const long = { name: "ﷺ".repeat(120), email: `${"𝔘".repeat(200)}@example.com`, phone: "1".repeat(40) }
    for (const word of toSearchTerms(long)) expect(Array.from(word).length).toBeLessThanOrEqual(64)
    expect(isFound(long, "𝔘".repeat(100))).toBe(true)
  })
})
