import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, expect, it } from "vitest"

const packages = join(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "trailbook-transpile-"))
afterAll(() => rmSync(folder, { recursive: true }))

const modulesOf = (root: string): ReadonlyArray<string> =>
  readdirSync(packages).flatMap((name) =>
    readdirSync(join(root, name, "dist"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js") && !path.startsWith("bundle/"))
      .map((path) => join(name, "dist", path))
  ).sort()

const importsOf = (path: string): ReadonlyArray<string> =>
  Array.from(
    readFileSync(path, "utf8").matchAll(/^(?:import|export|\}).*? from "([^"]+)";?$/gm),
    ([, name]) => name ?? ""
  )

it("npm start compiles the same modules with the same imports as the build", () => {
  execFileSync(process.execPath, [join(packages, "cli/transpile.mjs"), folder])
  const modules = modulesOf(packages)
  assert.isAbove(modules.length, 800)
  expect(modulesOf(folder)).toEqual(modules)
  for (const module of modules) {
    const built = new Set(importsOf(join(packages, module)))
    expect(importsOf(join(folder, module)).filter((name) => !built.has(name)), module).toEqual([])
  }
})
