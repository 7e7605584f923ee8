/**
 * Tests the documentation pages for host applications. Every block must compile, run, or quote an example, and programs
 * must print the output shown on the page.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder } from "../../../cli/test/program.ts"

const root = join(import.meta.dirname, "../../../..")
const guide = ["embed", "mount-in-your-server"]
  .map((name) => readFileSync(join(root, `docs/how-to/${name}.md`), "utf8"))
  .join("\n")
const resolve = createRequire(import.meta.url).resolve

const blocks = Array.from(
  guide.matchAll(/^```(ts|js)\n([\s\S]*?)^```$/gm),
  ([, language = "", code = ""]) => ({ language, code, file: /^\/\/ (\w+\.ts)\n/.exec(code)?.[1] })
)
const programs = blocks.filter(({ file }) => file !== undefined)

/** Returns the output that the page shows for a program. */
const printedAfter = (block: string): string => {
  const after = guide.slice(guide.indexOf(`// ${block}\n`))
  return /The output is:\n\n```text\n([\s\S]*?)```/.exec(after)?.[1] ?? ""
}

const program = (): string => {
  const path = folder()
  mkdirSync(join(path, "node_modules/@types"), { recursive: true })
  symlinkSync(join(root, "packages/trailbook"), join(path, "node_modules/trailbook"))
  for (
    const name of [
      "pg",
      "@types/pg",
      "@types/node",
      "pg-types",
      "pg-protocol",
      "better-sqlite3",
      "@types/better-sqlite3"
    ]
  ) {
    symlinkSync(join(root, "node_modules", name), join(path, "node_modules", name))
  }
  writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }))
  for (const { code, file = "" } of programs) writeFileSync(join(path, file), code)
  return path
}

const run = (path: string, file: string): string =>
  execFileSync(process.execPath, ["--conditions=@trailbook/source", "--import", resolve("tsx"), file], {
    cwd: path,
    encoding: "utf8",
    timeout: 60_000
  })

describe("the programs in the guide", () => {
  it("compile", () => {
    const path = program()
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: "nodenext",
      target: "es2023",
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"]
    }
    writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc")
    try {
      execFileSync(process.execPath, [tsc, "-p", path], { encoding: "utf8" })
    } catch (error) {
      assert.fail(error instanceof Error && "stdout" in error ? String(error.stdout) : String(error))
    }
  })

  it("print the documented output for the first booking", () => {
    const path = program()
    assert.strictEqual(run(path, "book.ts"), printedAfter("book.ts"))
    assert.match(run(path, "watch.ts"), /^1 offering\.created\n[\s\S]*booking\.confirmed\n$/)
  })

  it("print the documented output for a host rule", () => {
    assert.strictEqual(run(program(), "waivers.ts"), printedAfter("waivers.ts"))
  })

  it("print the documented output for an event handler", () => {
    assert.strictEqual(run(program(), "subscribe.ts"), printedAfter("subscribe.ts"))
  })

  it("print the documented output for many outfitters", () => {
    assert.strictEqual(run(program(), "many.ts"), "nordfjord-kajakk 1\n")
  })

  it("print the documented output for an expired hold", () => {
    assert.strictEqual(run(program(), "holds.ts"), `${/The output is `(false true)`/.exec(guide)?.[1]}\n`)
  })
})

it("the other code blocks in the guide are copied verbatim from an example", () => {
  const flat = (code: string): string => code.split("\n").map((line) => line.trim()).join("\n").trim()
  const sources = ["embed-hono", "embed-express", "embed-next"].flatMap((name) =>
    readdirSync(join(root, "examples", name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
      .map((entry) => flat(readFileSync(join(entry.parentPath, entry.name), "utf8")))
  )
  const parts = blocks.filter(({ file }) => file === undefined)
  assert.lengthOf(parts, 6)
  for (const { code } of parts) assert.isTrue(sources.some((source) => source.includes(flat(code))), code)
})
