/**
 * Compiles all packages without checking their types, so `npm start` is ready within seconds of a fresh clone. Writes to
 * the `dist` of each package, or below the folder in the first argument.
 */
import { build } from "esbuild"
import { readdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const sources = readdirSync(root).flatMap((name) =>
  readdirSync(join(root, name, "src"), { recursive: true }).map((path) => join(name, "src", path))
).filter((path) => /\.tsx?$/.test(path) && !path.startsWith("web/src/client/"))

await build({
  entryPoints: sources.map((path) => ({
    in: join(root, path),
    out: path.replace("/src/", "/dist/").replace(/\.tsx?$/, "")
  })),
  outdir: process.argv[2] ?? root,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "error",
  // Each module stays a file of its own, so imports only change their extension.
  plugins: [{
    name: "modules",
    setup: (bundler) =>
      bundler.onResolve({ filter: /^\.\.?\// }, ({ path }) => ({
        path: path.replace(/\.tsx?$/, ".js"),
        external: true
      }))
  }]
})
