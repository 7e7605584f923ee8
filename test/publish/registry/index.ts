/**
 * `npm run test:publish`: npm itself works out what a project of these tarballs has to install. It asks the registry, so
 * it is no part of `npm test`. Nothing is downloaded but descriptions of packages.
 */
import { strict as assert } from "node:assert"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pack } from "../tarballs.ts"

const folder = mkdtempSync(join(tmpdir(), "trailbook-registry-"))

const resolve = (name: string, specifiers: ReadonlyArray<string>) => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true }))
  // Said in spite of a caller who wants silence: what npm complains of is looked at.
  const args = [
    "install",
    "--loglevel=warn",
    "--package-lock-only",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...specifiers
  ]
  const { status, stderr } = spawnSync("npm", args, { cwd: project, encoding: "utf8" })
  const paths = (): ReadonlyArray<string> =>
    Object.keys(JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")).packages)
  return { status, stderr, paths }
}

try {
  const tarballs = pack(folder)
  const all = resolve("all", tarballs.map(({ file }) => file))
  assert.equal(all.status, 0, all.stderr)
  const copies = all.paths().filter((path) => path.endsWith("node_modules/effect"))
  assert.deepEqual(copies, ["node_modules/effect"], "There is one copy of effect.")

  const core = tarballs.find(({ manifest }) => manifest.name === "@trailbook/core")
  assert.ok(core)
  const other = resolve("other", [core.file, "effect@4"])
  assert.notEqual(other.status, 0, "effect@4 has to be refused.")
  assert.match(other.stderr, /peer effect@"\^3\.\d+\.\d+" from @trailbook\/core/)
  process.stdout.write(`${tarballs.length} packages and ${all.paths().length} of others fit together.\n`)
} finally {
  rmSync(folder, { recursive: true })
}
