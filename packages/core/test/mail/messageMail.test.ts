import { renderMessageMail } from "@trailbook/core/mail/renderPlainMail"
import { describe, expect, it } from "vitest"

const htmlOf = (body: string) =>
  renderMessageMail(body, ["Pine River"], [], undefined, ["https://book.example/", "https://review.example/r"]).html

describe("messageMail", () => {
  it("links the outfitter's own URLs, without trailing punctuation", () => {
    expect(htmlOf("Book another time:\nhttps://book.example/book/pine?a=1&b=2."))
      .toContain(
        "<a href=\"https://book.example/book/pine?a=1&#38;b=2\">https://book.example/book/pine?a=1&#38;b=2</a>."
      )
    expect(htmlOf("Review: https://review.example/r")).toContain("<a href=\"https://review.example/r\">")
  })

  it("does not link a URL that merely begins with the outfitter's review URL", () => {
    expect(htmlOf("https://review.example/r.evil.example")).not.toContain("<a ")
  })

  it("does not link other URLs, and escapes markup next to a link", () => {
    expect(htmlOf("https://evil.example/https://book.example/ and javascript:alert(1)")).not.toContain("<a ")
    expect(htmlOf("https://book.example/\"><img src=x>")).not.toContain("<img")
  })
})
