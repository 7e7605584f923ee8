/** Checks that the guide quotes this example verbatim, and that running it gives the results shown in the guide. */
import { loadInitialWorld } from "@trailbook/rules/checkRule"
import { mutateSettings } from "@trailbook/rules/mutations"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { laws, outfit } from "../laws.ts"
import { falseRule } from "./falseRule.ts"

const root = join(import.meta.dirname, "../../..")
const folder = join(root, "examples/capacity-rules-in-ci")
const guide = readFileSync(join(root, "docs/how-to/property-test-your-rules.md"), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, text]) => text ?? "")

const files = Array.from(
  guide.matchAll(/^`([\w./-]+\.ts)`\n\n```ts\n([\s\S]*?)^```$/gm),
  ([, name, text]) => ({ name: name ?? "", text: text ?? "" })
)

/** Runs a fragment without its imports. `variables` provides what the fragment uses. */
const runs = (fragment: string, variables: { readonly [name: string]: unknown }): void => {
  const code = fragment.split("\n").filter((line) => !line.startsWith("import ")).join("\n")
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function(...Object.keys(variables), code)(...Object.values(variables))
}

describe("the guide", () => {
  it("quotes this example's files verbatim", () => {
    assert.deepStrictEqual(files.map(({ name }) => name), [
      "outfit.ts",
      "laws.ts",
      "test/capacity.long.test.ts",
      "capacity.node.ts",
      "test/controls.long.test.ts",
      "checkDatabase.ts"
    ])
    for (const { name, text } of files) assert.strictEqual(text, readFileSync(join(folder, name), "utf8"), name)
  })

  it("takes its code from the example, except for two snippets", () => {
    const [jest = "", ...moreBlocks] = blocks("js")
    assert.deepStrictEqual(moreBlocks, [])
    const registered: Array<string> = []
    runs(jest, { laws, test: (name: string) => registered.push(name) })
    assert.deepStrictEqual(registered, laws.map(({ name }) => name))

    const [again = "", ...others] = blocks("ts").filter((text) => files.every((file) => file.text !== text))
    assert.deepStrictEqual(others, [])
    const seeds: Array<unknown> = []
    const variables = { storage: 0, timezone: 0, offerings: 0, rules: 0 }
    runs(again, { ...variables, capacityLaws: ({ seed }: { seed: unknown }) => seeds.push(seed) })
    assert.deepStrictEqual(seeds, [5])
  })

  it("shows the exact output for a broken rule", async () => {
    const [output = ""] = blocks("text")
    const failure: unknown = await falseRule[0]?.run().then(() => undefined, (error: unknown) => error)
    assert.instanceOf(failure, Error)
    assert.strictEqual(`${failure.message}\n`, output)
  })

  it("lists only settings that the negative controls change", async () => {
    const [, output = ""] = blocks("text")
    const settings = mutateSettings(outfit, await loadInitialWorld(outfit)).map(({ setting }) => setting)
    const settingNames = Array.from(output.matchAll(/^  (".+): (?:holds|broken)/gm), ([, setting]) => setting)
    assert.strictEqual(settingNames.length, 3)
    assert.includeMembers([...settings], settingNames)
  })

  it("lists every law with its title", () => {
    const rows = Array.from(guide.matchAll(/^\| ([\w ]+) \| ([^|]+) \|$/gm), ([row]) => row)
    const table = rows.slice(rows.indexOf("| law | rule |") + 1)
    assert.deepStrictEqual(
      table.slice(0, laws.length - 2),
      laws.slice(0, -2).map(({ name, title }) => `| ${name} | ${title} |`)
    )
  })

  it("refers only to packages and files that exist", () => {
    const [install = ""] = blocks("sh")
    for (const [, name] of install.matchAll(/@trailbook\/(\w+)/g)) {
      assert.isTrue(existsSync(join(root, "packages", name ?? "")), name)
    }
    for (const [, path = ""] of guide.matchAll(/\]\(([^)#:]+)\)/g)) {
      assert.isTrue(existsSync(join(root, "docs/how-to", path)), path)
    }
  })
})
