/**
 * Bundles the command into `dist/bundle`: `trailbook serve` then loads a few files instead of 1,300 modules. Tree shaking
 * also drops fast-check, which `effect/Schema` imports for tests. The library entry points are not bundled.
 */
import { build } from "esbuild"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"

const folder = import.meta.dirname
const outdir = join(folder, "dist/bundle")
const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8")
)

const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: ["src/cli.ts"],
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  conditions: ["@trailbook/source"],
  metafile: true,
  legalComments: "none",
  // Native and optional packages, and parsers of untrusted input, which can get a fix without a release of Trailbook.
  external: [
    ...Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
      !/^effect$|^@(?:effect|hono|trailbook)\//.test(name)
    ),
    ...Object.keys(optionalDependencies)
  ],
  // For bundled CommonJS modules.
  banner: {
    js: "import { createRequire as makeRequire } from \"node:module\"; const require = makeRequire(import.meta.url)"
  }
})

const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
)
const licenses = [...packages].sort().flatMap((path) => {
  const root = join(folder, path)
  return readdirSync(root).filter((name) => /^licen[cs]e/i.test(name)).map((name) =>
    `${path.split("node_modules/").at(-1)}\n\n${readFileSync(join(root, name), "utf8")}`
  )
})
writeFileSync(join(outdir, "LICENSES.txt"), licenses.join("\n\n"))

// Deletes the chunks of an earlier build. A running server can still load the chunks that did not change.
const current = new Set([
  "LICENSES.txt",
  ...Object.keys(metafile.outputs).map((file) => relative(outdir, join(folder, file)))
])
for (const file of readdirSync(outdir)) if (!current.has(file)) rmSync(join(outdir, file))
