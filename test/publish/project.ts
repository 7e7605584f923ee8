/**
 * Creates an empty project outside the workspace and installs tarballs the way npm does when all versions match: each
 * package at the top level, next to the packages that it declares. Undeclared packages are missing, so importing one
 * fails. Third-party packages are links to this checkout, so no download is needed.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, root, type Tarball } from "./tarballs.ts"

export interface Project {
  readonly folder: string
  readonly write: (path: string, text: string) => void
}

export const install = (
  folder: string,
  tarballs: ReadonlyArray<Tarball>,
  /** The project's dependencies. */
  dependencies: ReadonlyArray<string>
): Project => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write("package.json", JSON.stringify({ name: "outfitter", private: true, type: "module" }))
  for (const { file, manifest } of tarballs) unpack(file, join(folder, "node_modules", manifest.name))
  for (const name of new Set([...dependencies, ...tarballs.flatMap(({ manifest }) => thirdParty(manifest))])) {
    link(name, folder)
  }
  return { folder, write }
}

const unpack = (file: string, target: string): void => {
  mkdirSync(target, { recursive: true })
  execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", target])
}

/** Returns the dependencies in the tarball's manifest, which npm would install. */
const thirdParty = ({ dependencies, peerDependencies }: Manifest): ReadonlyArray<string> =>
  Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
    name !== "trailbook" && !name.startsWith("@trailbook/")
  )

const link = (name: string, folder: string): void => {
  const target = join(folder, "node_modules", name)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(join(root, "node_modules", name), target)
}

/** Returns the import specifiers of all modules that a package exports. */
export const modulesOf = ({ manifest: { exports = {}, name } }: Tarball): ReadonlyArray<string> =>
  Object.entries(exports).flatMap(([entry, target]) => hasDefault(target) ? [name + entry.slice(1)] : [])

export const manifestIn = ({ folder }: Project, name: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))

const hasDefault = (entry: string | object | undefined): boolean => typeof entry === "object" && "default" in entry
