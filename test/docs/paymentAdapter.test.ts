/** Tests that the page about payment adapters shows excerpts from the example exactly as they appear in its source. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { readPage, root } from "./Page.ts"

const flat = (code: string): string => code.split("\n").map((line) => line.trim()).join("\n").trim()

it("every code block of the payment adapter page is copied from the example", () => {
  const folder = join(root, "examples/payments-mollie")
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts")).map((name) =>
    flat(readFileSync(join(folder, name), "utf8"))
  )
  const { blocks } = readPage("docs/how-to/write-a-payment-adapter.md")
  assert.lengthOf(blocks, 5)
  for (const { text } of blocks) assert.isTrue(sources.some((source) => source.includes(flat(text))), text)
})
