/**
 * `npm run test:publish` packs every package once. Then publint and arethetypeswrong check each tarball, and npm
 * resolves a project that installs all of them. npm queries the registry for package metadata, so this check is not
 * part of `npm test`.
 */
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { strict as assert } from "node:assert"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { pack, type Tarball } from "./tarballs.ts"

const folder = mkdtempSync(join(tmpdir(), "trailbook-registry-"))

/**
 * Every package is ESM only, so these resolutions cannot work. This matches the `esm-only` profile of the `attw`
 * command.
 */
const ignoredResolutions: ReadonlySet<string> = new Set(["node10", "node16-cjs"])

/** Only this repository sets this condition. It refers to sources, which no tarball contains. */
const sourceCondition = "@trailbook/source"

/** Returns a tarball's problems, one per line. */
const findProblems = async ({ file, manifest }: Tarball): Promise<ReadonlyArray<string>> => {
  const tarball = readFileSync(file)
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true })
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  const types = analysis.types === false ?
    [{ kind: "NoTypes" }] :
    analysis.problems.filter((problem) =>
      !("resolutionKind" in problem && ignoredResolutions.has(problem.resolutionKind))
    )
  return [
    ...messages.filter(({ path }) => !path.includes(sourceCondition))
      .map((message) => `${manifest.name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...types.map((problem) => `${manifest.name}: arethetypeswrong: ${JSON.stringify(problem)}`)
  ]
}

const resolve = (name: string, specifiers: ReadonlyArray<string>) => {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true }))
  // The log level is explicit because `npm run --silent` would hide the warnings that the assertions below check.
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
  const listPaths = (): ReadonlyArray<string> =>
    Object.keys(JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")).packages)
  return { status, stderr, paths: listPaths }
}

try {
  const tarballs = pack(folder)
  const problems: Array<string> = []
  for (const tarball of tarballs) problems.push(...await findProblems(tarball))
  assert.deepEqual(problems, [])

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
