/** Tests that modules meant for use without Vitest do not depend on it, directly or indirectly. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "vitest"

const source = join(import.meta.dirname, "../src")

const kit = "@trailbook/testkit/"

/** Returns the packages that a module imports, directly or through other modules of its package or of the test kit. */
const loadedPackages = (file: string, visited = new Set<string>()): ReadonlySet<string> => {
  const packages = new Set<string>()
  if (visited.has(file)) return packages
  visited.add(file)
  const text = readFileSync(file, "utf8")
  for (const [, kind, from = ""] of text.matchAll(/^(?:import|export)( type)? [^;]*?from "([^"]+)"$/gm)) {
    if (kind !== undefined) continue
    if (from.startsWith(kit)) {
      for (const name of loadedPackages(join(source, `${from.slice(kit.length)}.ts`), visited)) packages.add(name)
    } else if (!from.startsWith(".")) packages.add(from)
    else for (const name of loadedPackages(join(dirname(file), from), visited)) packages.add(name)
  }
  return packages
}

const runners = (module: string) => [...loadedPackages(join(source, module))].filter((name) => name.includes("vitest"))

it.each(["index.ts", "arbitraries.ts", "checkStorage.ts", "fakes.ts", "../../rules/src/index.ts"])(
  "the module %s does not load Vitest",
  (module) => {
    assert.isAbove(loadedPackages(join(source, module)).size, 3)
    assert.deepStrictEqual(runners(module), [])
  }
)

it("control: the test detects a module that loads Vitest", () => {
  assert.include(runners("suite.ts"), "@effect/vitest")
})
