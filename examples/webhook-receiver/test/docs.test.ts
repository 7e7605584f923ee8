/** Checks that the guide quotes this example, and that its statements about Trailbook are true. */
import { deliveryFaults } from "@trailbook/core/webhook"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const example = join(root, "examples/webhook-receiver")
const pages = ["docs/how-to/receive-webhooks.md", "examples/webhook-receiver/README.md"]
const guide = readFileSync(join(root, "docs/how-to/receive-webhooks.md"), "utf8")

/** Removes the indentation, because a block in the docs can be indented less than the code. */
const flat = (code: string): string => code.split("\n").map((line) => line.trim()).join("\n").trim()
const files = readdirSync(example).filter((name) => name.endsWith(".ts"))
const sources = files.map((name) => flat(readFileSync(join(example, name), "utf8")))

describe("the guide", () => {
  it("quotes the example's code verbatim", () => {
    const blocks = Array.from(guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = ""]) => flat(code))
    assert.lengthOf(blocks, 4)
    for (const code of blocks) assert.isTrue(sources.some((source) => source.includes(code)), code)
  })

  it("explains exactly the delivery faults that Trailbook reports", () => {
    const [, table = ""] = guide.split("| `last_error` | cause |\n|---|---|\n")
    const explained = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, fault]) => fault)
    assert.sameMembers(explained, [...deliveryFaults])
  })

  it("names only programs that the example contains", () => {
    for (const [, path = ""] of guide.matchAll(/examples\/webhook-receiver\/(\w+\.ts)/g)) assert.include(files, path)
  })
})

it.each(pages)("%s links only to files that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8")
  for (const [, path = ""] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
    assert.isTrue(existsSync(join(root, dirname(page), path)), path)
  }
})

it("the README lists every program of the example", () => {
  const readme = readFileSync(join(example, "README.md"), "utf8")
  for (const name of files) assert.include(readme, `\`${name}\``)
})
