import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TestProjectConfiguration } from "vitest/config"
import { isLong } from "./test/runs.ts"

/** What `npm test` leaves out, and what it runs in part: the files that ask `runs` how many cases to try. */
const isOfLongTier = (path: string): boolean =>
  /^(?!.*\bnode_modules\b).*\.test\.ts$/.test(path) &&
  (path.endsWith(".long.test.ts") || /from "(?:\.\.\/)+(?:test\/)?runs\.ts"/.test(readFileSync(path, "utf8")))

const longTier = (root: string, folder: string): Array<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => isOfLongTier(join(root, path)))

const project = (name: string, root: string, folder: string): TestProjectConfiguration => ({
  extends: "./vitest.shared.ts",
  root,
  test: {
    name,
    include: isLong ? longTier(root, folder) : [`${folder}/**/*.test.ts`],
    exclude: ["**/node_modules/**", "**/dist/**", ...(isLong ? [] : ["**/*.long.test.ts"])]
  }
})

const projects = [
  ...readdirSync("packages").map((name) => project(name, `packages/${name}`, "test")),
  project("house", ".", "test"),
  project("examples", ".", "examples")
]

export default projects
