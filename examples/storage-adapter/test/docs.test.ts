/** Checks that the code and names in the guide and README match the example. */
import { laws } from "@trailbook/testkit/laws"
import type { Options } from "@trailbook/testkit/suite"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it } from "vitest"
import { isLong } from "../../../test/runs.ts"

const root = join(import.meta.dirname, "../../..")
const example = join(root, "examples/storage-adapter")

const page = (path: string) => {
  const text = readFileSync(join(root, path), "utf8")
  const blocks = Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, language = "", code = ""]) => ({
    language,
    code
  }))
  const links = Array.from(text.matchAll(/\]\(([^)#:]+)\)/g), ([, link = ""]) => join(root, dirname(path), link))
  const names = Array.from(text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g), ([, name = ""]) => name)
  return { blocks, links, names }
}

const guide = page("docs/how-to/write-a-storage-adapter.md")
const readme = page("examples/storage-adapter/README.md")

/** Removes the indentation, because a block in the docs can be indented less than the code. */
const flat = (code: string): string => code.split("\n").map((line) => line.trim()).join("\n").trim()

const sources = readdirSync(example, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => flat(readFileSync(join(example, name), "utf8")))

describe.each([["the guide", guide], ["the README", readme]])("%s", (_name, { blocks, links, names }) => {
  it("quotes the example's code verbatim", () => {
    for (const { code, language } of blocks) {
      if (language === "ts") assert.isTrue(sources.some((source) => source.includes(flat(code))), code)
    }
  })

  it("names only files that exist, and links only to files that exist", () => {
    const files = names.filter((name) => /^(src|test)\/[\w./*]+$/.test(name)).map((name) => name.replace("/*.ts", ""))
    for (const path of [...links, ...files.map((file) => join(example, file))]) assert.isTrue(existsSync(path), path)
  })

  it("names only laws that exist", () => {
    const groups = new Set(laws.map(({ key }) => key.split("/")[0]))
    for (const name of names) {
      const [, group, law] = /^([a-z-]+)\/([a-z-]+|\*)$/.exec(name) ?? []
      if (group === undefined || existsSync(join(root, name))) continue
      assert.isTrue(law === "*" ? groups.has(group) : laws.some(({ key }) => key === name), name)
    }
  })
})

it("the guide names every option of the test suite", () => {
  const options: { readonly [Name in keyof Options]-?: true } = {
    knownGaps: true,
    laws: true,
    reference: true,
    runs: true,
    seed: true,
    timeoutMs: true
  }
  for (const name of Object.keys(options)) assert.include(guide.names, name)
})

it("the guide names every service that the storage layer provides", () => {
  const layer = readFileSync(join(example, "src/JournalStorage.ts"), "utf8")
  const ports = Array.from(layer.matchAll(/Context\.(?:add|make)\((\w+),/g), ([, port = ""]) => port)
  assert.strictEqual(ports.length, 36)
  for (const port of ports) assert.include(guide.names, port)
})

const [sell = "", test = ""] = readme.blocks.filter(({ language }) => language === "sh").map(({ code }) => code.trim())
const [command = "", ...options] = sell.split(" ")

/** Returns the tables that a line in the file changes. No row has a field with such a name. */
const tablesIn = (line: string): ReadonlyArray<string> =>
  Array.from(line.matchAll(/\{"table":"(\w+)","row":\{/g), ([, table = ""]) => table)

it.runIf(isLong)(
  "the README's first command prints the output that the README shows",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "trailbook-"))
    const file = join(folder, "river.journal")
    const firstTwelve = async () => {
      const child = spawn(command, options.map((option) => option === "river.journal" ? file : option), { cwd: root })
      const exit = once(child, "exit")
      const lines: Array<string> = []
      for await (const line of createInterface(child.stdout)) {
        if (lines.push(line) === 12) child.kill("SIGKILL")
      }
      await exit
      return lines.slice(0, 12)
    }
    try {
      const lines = await firstTwelve()
      assert.match(lines[0] ?? "", /^seat 1 sold /)
      assert.match(lines[10] ?? "", /^seat 10 forgotten /)
      const shownTables = tablesIn(readme.blocks.find(({ language }) => language === "")?.code ?? "")
      const journalTables = readFileSync(file, "utf8").split("\n").map(tablesIn)
      assert.isTrue(journalTables.some((tables) => tables.join() === shownTables.join()), shownTables.join())
      assert.deepStrictEqual(await firstTwelve(), lines)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
)

it("the README's second command runs every test of the example", () => {
  const [npx = "", ...run] = `${test.replace("vitest run", "vitest list")} --filesOnly --json`.split(" ")
  const { TEST_LONG: _, ...withoutLong } = process.env
  const listedFiles: ReadonlyArray<{ readonly file: string }> = JSON.parse(
    execFileSync(npx, run, { cwd: root, env: withoutLong, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  )
  const tests = readdirSync(join(example, "test")).filter((name) => /(?<!\.long)\.test\.ts$/.test(name))
  assert.deepStrictEqual(
    listedFiles.map(({ file }) => file).sort(),
    tests.map((name) => join(example, "test", name)).sort()
  )
})
