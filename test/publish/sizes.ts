/** The table in `docs/reference/packages.md`. `node --import tsx test/publish/sizes.ts` prints its rows. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pack, type Tarball } from "./tarballs.ts"

export interface Row {
  readonly name: string
  readonly kilobytes: number
  /** The third-party dependencies, including peer dependencies. */
  readonly dependencies: ReadonlyArray<string>
}

export const rowOf = ({ bytes, manifest }: Tarball): Row => ({
  name: manifest.name,
  kilobytes: Math.ceil(bytes / 1000),
  dependencies: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter((name) => name !== "trailbook" && !name.startsWith("@trailbook/")).sort()
})

export const format = ({ dependencies, kilobytes, name }: Row): string =>
  `| \`${name}\` | ${kilobytes} kB | ${dependencies.map((name) => `\`${name}\``).join(", ") || "nothing"} |`

export const parse = (page: string): ReadonlyArray<Row> =>
  Array.from(
    page.matchAll(/^\| `([^`]+)` \| (\d+) kB \| (.*) \|$/gm),
    ([, name = "", kilobytes, dependencies = ""]) => ({
      name,
      kilobytes: Number(kilobytes),
      dependencies: Array.from(dependencies.matchAll(/`([^`]+)`/g), ([, dependency = ""]) => dependency)
    })
  )

if (process.argv[1] === import.meta.filename) {
  const folder = mkdtempSync(join(tmpdir(), "trailbook-sizes-"))
  for (const tarball of pack(folder)) process.stdout.write(`${format(rowOf(tarball))}\n`)
  rmSync(folder, { recursive: true })
}
