import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { threadTimeMs } from "../../../test/threadTime.ts"
import { format, parse } from "../src/response/disposition.ts"

const anyText = FastCheck.string({ unit: "grapheme", maxLength: 60 })

describe("a form part's Content-Disposition", () => {
  it("is parsed correctly for any file name that browsers encode", () => {
    FastCheck.assert(FastCheck.property(anyText, anyText, (name, filename) => {
      const escapeName = (text: string) =>
        text.replace(/["\r\n]/g, (character) => ({ "\"": "%22", "\r": "%0D", "\n": "%0A" })[character] ?? "")
      // Skip names that already contain an escape or a backslash, which some programs use to escape quotes.
      FastCheck.pre(![name, filename].some((text) => /\\|%(22|0d|0a)/i.test(text)))
      const disposition = parse(`form-data; name="${escapeName(name)}"; filename="${escapeName(filename)}"`)
      assert.deepStrictEqual(disposition, { name, filename })
    }))
  })

  it.each([
    ["form-data; name=file; filename=a.jpg", "file", "a.jpg"],
    ["form-data; name=\"file\"; filename=\"a \\\"b\\\".jpg\"", "file", "a \"b\".jpg"],
    ["FORM-DATA; NAME=\"file\";filename=\"фото.jpg\"", "file", "фото.jpg"],
    ["form-data; name=\"file\"; filename=\"a.jpg\"; filename*=UTF-8''%E5%86%99%E7%9C%9F.jpg", "file", "写真.jpg"],
    ["form-data; name=\"file\"; filename=\"a.jpg\"; filename*=UTF-8''%E5%86", "file", "a.jpg"],
    ["form-data; name=\"file\"", "file", undefined]
  ])("is parsed in the notation %s", (text, name, filename) => {
    assert.deepStrictEqual(parse(text), { name, filename })
  })

  it.each(["", "form-data", "attachment; name=\"file\"", "form-data; name=\"file", "form-data; name", "undefined"])(
    "is rejected as invalid: '%s'",
    (text) => {
      assert.isUndefined(parse(text))
    }
  )

  it("is parsed quickly, even if it is adversarial", () => {
    for (const hostile of ["\\", "\"", " ", "; a=\"", ";", "a=", "\\\\"]) {
      const began = threadTimeMs()
      parse(`form-data; name="${hostile.repeat(16_000)}`)
      assert.isBelow(threadTimeMs() - began, 500)
    }
  })
})

describe("a response's Content-Disposition", () => {
  it("is a single ASCII header with the complete file name", () => {
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 100 }), (name) => {
      const value = format("attachment", name)
      assert.match(value, /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w%.~!-]*$/)
      assert.strictEqual(parse(value.replace("attachment", "form-data; name=x"))?.filename, name)
      assert.strictEqual(new Headers({ "content-disposition": value }).get("content-disposition"), value)
    }))
  })

  it("shortens a very long file name but keeps its extension", () => {
    const value = format("inline", `${"写".repeat(990)}.final.jpeg`)
    assert.isBelow(value.length, 1400)
    assert.match(value, /final\.jpeg$/)
  })
})
