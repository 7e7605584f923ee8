import { validate, ValidationSeverity } from "dockerfile-utils"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, onTestFinished } from "vitest"
import { run } from "../src/index.ts"

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "create-trailbook-"))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"))

describe("create-trailbook", () => {
  it("creates a project with the folder's name and Trailbook's version", () => {
    const parent = folder()
    const { code, stderr, stdout } = run(["my-outfitter"], parent)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(stdout, "  cd my-outfitter\n  npm install\n  npm start\n")
    const project = join(parent, "my-outfitter")
    assert.deepStrictEqual(readdirSync(project).sort(), [
      ".dockerignore",
      ".env.example",
      ".gitignore",
      "AGENTS.md",
      "Dockerfile",
      "README.md",
      "apply.ts",
      "outfitter.ts",
      "package.json",
      "server.ts",
      "tsconfig.json"
    ])
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))
    assert.deepInclude(manifest, { name: "my-outfitter", private: true })
    assert.deepInclude(manifest.dependencies, { trailbook: `^${version}` })
  })

  it("creates a project in the working directory if it is empty", () => {
    const project = join(folder(), "rafts")
    mkdirSync(project)
    const { code, stdout } = run(["."], project)
    assert.strictEqual(code, 0)
    assert.include(stdout, "Next:\n  npm install\n")
    assert.strictEqual(JSON.parse(readFileSync(join(project, "package.json"), "utf8")).name, "rafts")
  })

  it("changes nothing in a folder that is not empty", () => {
    const parent = folder()
    const project = join(parent, "rafts")
    mkdirSync(project)
    writeFileSync(join(project, "notes.txt"), "")
    const refusal = { code: 1, stdout: "", stderr: `${project} is not empty. Choose another folder.\n` }
    assert.deepStrictEqual(run(["rafts"], parent), refusal)
    assert.deepStrictEqual(readdirSync(project), ["notes.txt"])
    const file = {
      code: 1,
      stdout: "",
      stderr: `${join(project, "notes.txt")} is a file, not a folder. Choose another name.\n`
    }
    assert.deepStrictEqual(run(["rafts/notes.txt"], parent), file)
  })

  it.each(["My-Outfitter", "my outfitter", "_rafts", "rafts!"])("refuses %s as a package name", (name) => {
    const parent = folder()
    const { code, stderr } = run([name], parent)
    assert.strictEqual(code, 2)
    assert.include(stderr, `The folder name "${name}" is not a valid package name.`)
    assert.isFalse(existsSync(join(parent, name)))
  })

  it.each([
    [[], "Pass one folder name"],
    [["a", "b"], "Pass one folder name"],
    [["rafts", "--force"], "Unknown option --force"]
  ])("refuses the arguments %j", (args, message) => {
    const { code, stderr } = run(args, folder())
    assert.strictEqual(code, 2)
    assert.include(stderr, message)
  })

  it("prints its help and its version", () => {
    assert.include(run(["--help"]).stdout, "Usage\n  create-trailbook <folder>")
    assert.deepStrictEqual(run(["rafts", "--version"]), { code: 0, stdout: `${version}\n`, stderr: "" })
  })
})

describe("the template", () => {
  const text = (name: string) => readFileSync(join(import.meta.dirname, "../template", name), "utf8")

  it("has a Dockerfile that passes Docker's lint rules", () => {
    assert.deepStrictEqual(validate(text("Dockerfile"), { instructionCasing: ValidationSeverity.ERROR }), [])
  })

  it("lists every setting that the server reads, with its default", () => {
    const settings = Array.from(
      text("_env.example").matchAll(/^# ([A-Z_]+)=(\S+)$/gm),
      ([, name, value]) => [name, value]
    )
    const [, defaults = ""] = /^const \{ (.*) \} = process\.env$/m.exec(text("server.ts")) ?? []
    for (const [, name, value] of defaults.matchAll(/(\w+) = "([^"]+)"/g)) assert.deepInclude(settings, [name, value])
    assert.lengthOf(settings, 5)
  })

  it("lists every dependency that has an install script", () => {
    const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package-lock.json"), "utf8"))
    const { allowScripts, dependencies, devDependencies } = JSON.parse(text("package.json"))
    const installed = new Set<string>()
    const visit = (name: string): void => {
      if (installed.has(name)) return
      installed.add(name)
      const { link, resolved, ...entry } = packages[`node_modules/${name}`] ?? {}
      const { dependencies, optionalDependencies } = link ? packages[resolved] : entry
      Object.keys({ ...dependencies, ...optionalDependencies }).forEach(visit)
    }
    Object.keys({ ...dependencies, ...devDependencies }).forEach(visit)
    const scripted = [...installed].filter((name) => packages[`node_modules/${name}`]?.hasInstallScript)
    assert.deepStrictEqual(Object.keys(allowScripts), scripted.sort())
  })

  it("has a README of at most 60 lines", () => {
    assert.isAtMost(text("README.md").split("\n").length, 60)
  })
})
