/**
 * An empty project outside the workspace with tarballs installed, as npm does it when everything fits: each package at
 * the top, and what the packages declare beside them. What they do not declare is not there, so an import that no
 * package.json names fails. Third-party packages are links to this checkout's, which takes neither time nor a network.
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
  /** What the project itself depends on. */
  own: ReadonlyArray<string>
): Project => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write("package.json", JSON.stringify({ name: "outfitter", private: true, type: "module" }))
  for (const { file, manifest } of tarballs) unpack(file, join(folder, "node_modules", manifest.name))
  for (const name of new Set([...own, ...tarballs.flatMap(({ manifest }) => thirdParty(manifest))])) {
    link(name, folder)
  }
  return { folder, write }
}

const unpack = (file: string, target: string): void => {
  mkdirSync(target, { recursive: true })
  execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", target])
}

/** What the manifest in the tarball declares, which is what npm would install. */
const thirdParty = ({ dependencies, peerDependencies }: Manifest): ReadonlyArray<string> =>
  Object.keys({ ...dependencies, ...peerDependencies }).filter((name) =>
    name !== "trailbook" && !name.startsWith("@trailbook/")
  )

const link = (name: string, folder: string): void => {
  const target = join(folder, "node_modules", name)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(join(root, "node_modules", name), target)
}

/** Every module of a package, as a program names it. */
export const modulesOf = ({ manifest, paths }: Tarball): ReadonlyArray<string> =>
  paths.flatMap((path) => {
    const [, module] = /^src\/(.*)\.ts$/.exec(path) ?? []
    return module === undefined ? [] : [module === "index" ? manifest.name : `${manifest.name}/${module}`]
  })

export const manifestIn = ({ folder }: Project, name: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))
