/** Packs every package as npm would publish it. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../..")

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly bin?: Record<string, string>
  readonly exports?: Record<string, string | object>
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}

export interface Tarball {
  /** The package's folder in this checkout. */
  readonly folder: string
  readonly manifest: Manifest
  readonly file: string
  readonly bytes: number
  /** The paths of all files in the package. */
  readonly paths: ReadonlyArray<string>
}

interface PackResult {
  readonly name: string
  readonly filename: string
  readonly size: number
  readonly files: ReadonlyArray<{ readonly path: string }>
}

const published = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true)

export const manifests: ReadonlyArray<Manifest> = published.map(({ manifest }) => manifest)

/** Packs the existing build without building again. */
export const pack = (folder: string): ReadonlyArray<Tarball> => {
  const args = ["pack", "--workspaces", "--json", "--ignore-scripts", "--pack-destination", folder]
  const packed: ReadonlyArray<PackResult> = JSON.parse(
    execFileSync("npm", args, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"]
    })
  )
  return packed.flatMap(({ filename, files, name, size }) =>
    published.filter(({ manifest }) => manifest.name === name).map(({ folder: source, manifest }) => ({
      folder: source,
      manifest,
      file: join(folder, filename),
      bytes: size,
      paths: files.map(({ path }) => path)
    }))
  )
}
