/** Checks that the code in the guide is part of this program, and that everything it names exists. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Entry from "trailbook/effect"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const guide = readFileSync(join(root, "docs/how-to/with-effect.md"), "utf8")
const blocks = Array.from(guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = ""]) => code)

const sources = ["..", "."].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(import.meta.dirname, folder, name), "utf8"))
)

it("the guide quotes the tested program's code verbatim", () => {
  assert.isAbove(blocks.length, 10)
  for (const block of blocks) assert.isTrue(sources.some((source) => source.includes(block)), block)
})

describe("the guide", () => {
  it("names only exports that exist in the package's entry point", () => {
    const exportNames = new Set(
      Array.from(guide.matchAll(/`((?:Booking(?:Engine|Worker)|OrgActor|Webhooks)\.\w+)/g), ([, name = ""]) => name)
    )
    assert.isAbove(exportNames.size, 3)
    for (const name of exportNames) {
      const [module = "", member = ""] = name.split(".")
      assert.isFunction(Reflect.get(Object(Reflect.get(Entry, module)), member), name)
    }
    for (const { layerConfig } of [Entry.BookingEngine, Entry.BookingWorker, Entry.Webhooks]) {
      assert.isFunction(layerConfig)
    }
  })

  it("names only services that exist and have a layer", async () => {
    const table = /\| service \|[\s\S]*?\n\n/.exec(guide)?.[0] ?? ""
    const rows = table.split("\n").slice(2).map((row) => row.split("|")[1] ?? "")
    const names = rows.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name))
    assert.isAbove(names.length, 10)
    const core = join(root, "packages/core/src")
    const modules = readdirSync(core, { recursive: true, encoding: "utf8" })
    for (const name of names) {
      const path = modules.find((path) => basename(path) === `${name}.ts`)
      assert.isDefined(path, name)
      const module = await import(join(core, path))
      // Storage packages provide the unit of work.
      if (name !== "UnitOfWork") assert.property(module[name], "layer", name)
    }
  })
})
